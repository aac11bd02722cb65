import JSONRPC

/// `history/delete`: forgets one generation, or all of an account's, with their files.
///
/// What was spent stays in the ledger. Generations that still run are cancelled first.
public struct HistoryDelete: RequestMessage {
  public static let method = "history/delete"

  /// What to forget.
  public var target: Target

  public init(target: Target) {
    self.target = target
  }

  public init(from decoder: any Decoder) throws {
    target = try Target(from: decoder)
  }

  public func encode(to encoder: any Encoder) throws {
    try target.encode(to: encoder)
  }

  /// What is gone.
  public struct Result: Codable, Sendable, Equatable {
    /// How many records.
    public var deleted: Int
    /// How many bytes of files.
    public var bytesFreed: Int
    /// What was begun meanwhile and is left alone; absent where there is nothing.
    public var stillRunning: [GenerationID]?

    public init(deleted: Int, bytesFreed: Int, stillRunning: [GenerationID]? = nil) {
      self.deleted = deleted
      self.bytesFreed = bytesFreed
      self.stillRunning = stillRunning
    }
  }
}

extension HistoryDelete: SchemaDescribed {
  public static let summary =
    "Forgets one generation, or all of an account's, with their files. What was spent stays in the ledger. "
    + "Generations that still run are cancelled first."

  public static let members = [
    "generationId": "The generation to forget; this, or `account` with `all`.",
    "account": "Whose; required with `all`.",
    "all": "true: everything of `account`.",
  ]

  public static let keywords: JSONObject = [
    "oneOf": [
      ["required": ["generationId"], "properties": ["all": ["const": false]]],
      ["required": ["account", "all"], "properties": ["all": ["const": true], "generationId": false]],
    ]
  ]
}

extension HistoryDelete.Result: SchemaDescribed {
  public static let summary = "What is gone."

  public static let members = [
    "deleted": "How many records.",
    "bytesFreed": "How many bytes of files.",
    "stillRunning": "What was begun meanwhile and is left alone; absent where there is nothing.",
  ]
}
