import AtelierClient

/// What the host takes from the world: the time, what nobody can guess, and how much it may take.
public struct Surroundings: Sendable {
  public var now: @Sendable () -> Timestamp
  /// So many random bytes, fit for secrets.
  public var random: @Sendable (_ count: Int) -> [UInt8]

  /// How many files and connections the process may have open; nil where there is no limit.
  public var openFiles: Int?

  public init(
    now: @escaping @Sendable () -> Timestamp, random: @escaping @Sendable (_ count: Int) -> [UInt8], openFiles: Int? = nil
  ) {
    (self.now, self.random, self.openFiles) = (now, random, openFiles)
  }
}
