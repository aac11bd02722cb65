import AtelierProtocol

/// A page of history, newest first.
public struct HistoryPage: Sendable, Equatable {
  public var entries: [GenerationRow]
  /// Where the next page begins; nil when this is the last.
  public var nextCursor: HistoryCursor?
  /// Over everything the filter matches, not over this page.
  public var totals: History.Totals
  /// A search had to read much row by row: ``Store/indexForSearch()`` makes the next one quicker.
  public var wantsIndex = false
}
