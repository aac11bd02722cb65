import AtelierProtocol

/// What `status` tells of the store.
public struct StoreStatus: Sendable, Equatable {
  /// The data directory.
  public var path: String
  public var schemaVersion: Int
  /// False when the database answered the count with an error, or the last audit of the ledger found something.
  public var isHealthy: Bool
  /// How many generations are in each state, over all accounts and processes.
  public var countByState: [GenerationState: Int]
  /// Why the system's clock is not believed; nil when it is.
  public var clockDoubt: ClockDoubt?
}
