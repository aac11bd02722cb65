import JSONRPC

/// `history/delete`: forgets one generation that has ended, or all of an account's, with their files.
///
/// What was spent stays in the ledger. Generations that still run are cancelled first.
public struct HistoryDelete: RequestMessage {
  public static let method = "history/delete"

  /// The generation to forget; this, or `account` with `all`.
  public var generationId: GenerationID?
  /// Whose; required with `all`.
  public var account: AccountID?
  /// true: everything of `account`.
  public var all: Bool?

  public init(generationId: GenerationID? = nil, account: AccountID? = nil, all: Bool? = nil) {
    self.generationId = generationId
    self.account = account
    self.all = all
  }

  /// What is to be forgotten.
  public enum Subject: Sendable, Equatable {
    case generation(GenerationID, account: AccountID?)
    case everything(of: AccountID)
  }

  /// What is to be forgotten; nil when the members do not say exactly one thing.
  public var subject: Subject? {
    switch (generationId, account, all) {
    case (let id?, let account, nil), (let id?, let account, false?): .generation(id, account: account)
    case (nil, let account?, true?): .everything(of: account)
    default: nil
    }
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    generationId = try members.decodeIfPresent(GenerationID.self, forKey: .generationId)
    account = try members.decodeIfPresent(AccountID.self, forKey: .account)
    all = try members.decodeIfPresent(Bool.self, forKey: .all)
    guard subject != nil else { throw JSONExpectation("an object with generationId, or with account and all: true") }
  }

  /// What is gone.
  public struct Result: Codable, Sendable, Equatable {
    /// How many records.
    public var deleted: Int
    /// How many bytes of files.
    public var bytesFreed: Int

    public init(deleted: Int, bytesFreed: Int) {
      self.deleted = deleted
      self.bytesFreed = bytesFreed
    }
  }
}

extension HistoryDelete: SchemaDescribed {
  public static let members = [
    "generationId": "The generation to forget; this, or `account` with `all`.",
    "account": "Whose; required with `all`.",
    "all": "true: everything of `account`.",
  ]
}

extension HistoryDelete.Result: SchemaDescribed {
  public static let summary = "What is gone."

  public static let members = [
    "deleted": "How many records.",
    "bytesFreed": "How many bytes of files.",
  ]
}
