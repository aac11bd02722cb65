/// One connection as the simulator saw it.
public struct ConnectionRecord: Sendable, Hashable {
  public enum End: String, Sendable {
    case peer
    /// The peer reset it.
    case peerReset
    case simulator
  }

  /// 1 for the first.
  public var id: Int
  /// In milliseconds since the simulator started.
  public var opened: Double
  public var closed: Double?
  /// Who ended it.
  public var end: End?
  /// How many requests it has brought, those to `/_simulator/` included.
  public var requests = 0
}
