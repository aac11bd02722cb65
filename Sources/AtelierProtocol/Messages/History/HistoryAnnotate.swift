import JSONRPC

/// `history/annotate`: notes at a generation what a host wants to find again.
public struct HistoryAnnotate: RequestMessage {
  public static let method = "history/annotate"

  public var generationId: GenerationID
  /// In place of what came with the request or an earlier note. Default: it stays.
  @Limited<Metadata> public var metadata: JSONObject?
  /// Whether it is a favourite: `history` can be asked for those alone. Default: it stays what it was.
  public var favourite: Bool?
  /// Whose it is. Default: the account of `initialize`, else any.
  public var account: AccountID?

  public init(
    generationId: GenerationID, metadata: JSONObject? = nil, favourite: Bool? = nil, account: AccountID? = nil
  ) {
    self.generationId = generationId
    self.metadata = metadata
    self.favourite = favourite
    self.account = account
  }

  /// The record as it is now.
  public typealias Result = History.Entry
}

extension HistoryAnnotate: SchemaDescribed {
  public static let summary =
    "Notes at a generation that has ended what a host wants to find again. The answer is its record as it is now."

  public static let members = [
    "metadata": "In place of what came with the request or an earlier note. Default: it stays.",
    "favourite": "Whether it is a favourite: `history` can be asked for those alone. Default: it stays what it was.",
    "account": "Whose it is. Default: the account of `initialize`, else any.",
  ]
}
