import AtelierClient

/// What the host takes from the world: the time, and what nobody can guess.
public struct Surroundings: Sendable {
  public var now: @Sendable () -> Timestamp
  /// So many random bytes, fit for secrets.
  public var random: @Sendable (_ count: Int) -> [UInt8]

  public init(now: @escaping @Sendable () -> Timestamp, random: @escaping @Sendable (_ count: Int) -> [UInt8]) {
    (self.now, self.random) = (now, random)
  }
}
