import AtelierProtocol

/// Those that wait for one provider.
public struct WaitingLine: Sendable, Equatable {
  public var provider: ProviderID
  public var count: Int
  /// When the first of them was accepted.
  public var oldest: Timestamp
}
