import AtelierProtocol

/// A chain of refinements, with branches or without.
public struct StoredSession: Sendable, Equatable {
  /// That of the generation it began with, which may be deleted.
  public var id: GenerationID
  public var account: AccountID
  /// How many of its generations there are.
  public var steps: Int
  /// When the newest was accepted.
  public var latest: Timestamp
  /// The earliest that is still there.
  public var first: GenerationRow
  public var last: GenerationRow
}

/// A session, and some of its steps.
public struct SessionPage: Sendable, Equatable {
  public var session: StoredSession
  /// The first ones first.
  public var entries: [GenerationRow]
  /// Where the next page begins; nil when this is the last.
  public var nextCursor: HistoryCursor?
}
