/// `history/get`: the record of one generation.
public struct HistoryGet: RequestMessage {
  public static let method = "history/get"

  public var generationId: GenerationID
  /// Whose it is. Default: the account of `initialize`, else any.
  public var account: AccountID?

  public init(generationId: GenerationID, account: AccountID? = nil) {
    self.generationId = generationId
    self.account = account
  }

  public typealias Result = History.Entry
}

extension HistoryGet: SchemaDescribed {
  public static let summary = "The record of one generation."

  public static let members = [
    "account": "Whose it is. Default: the account of `initialize`, else any."
  ]
}
