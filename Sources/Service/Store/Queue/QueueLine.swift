import AtelierProtocol

/// The generations that wait for one provider.
public struct QueueLine: Sendable, Equatable {
  public var provider: ProviderID
  public var count: Int
  /// When the oldest of them was accepted.
  public var oldest: Timestamp
}
