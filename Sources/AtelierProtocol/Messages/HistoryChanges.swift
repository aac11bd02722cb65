import JSON

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

extension HistoryDelete {
  /// What is to be forgotten: one generation, or all of an account's.
  public enum Target: Sendable, Equatable {
    /// One generation; of this account, where one is named.
    case generation(GenerationID, account: AccountID?)
    case everything(of: AccountID)
  }
}

extension HistoryDelete.Target: Codable {
  private enum CodingKeys: CodingKey { case generationId, account, all }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let id = try members.decodeIfPresent(GenerationID.self, forKey: .generationId)
    let account = try members.decodeIfPresent(AccountID.self, forKey: .account)
    let all = try members.decodeIfPresent(Bool.self, forKey: .all) ?? false
    switch (id, account, all) {
    case (let id?, let account, false): self = .generation(id, account: account)
    case (nil, let account?, true): self = .everything(of: account)
    default: throw JSONExpectation("an object with generationId, or with account and all: true")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .generation(let id, let account):
      try members.encode(id, forKey: .generationId)
      try members.encodeIfPresent(account, forKey: .account)
    case .everything(let account):
      try members.encode(account, forKey: .account)
      try members.encode(true, forKey: .all)
    }
  }
}

/// `history/export`: writes history and its pictures into a folder of the host's.
///
/// Called again it goes on: pictures that are there are not written again, and the file of records takes the place of
/// the one before when it is whole. Nothing that is not of an export is overwritten.
public struct HistoryExport: RequestMessage {
  public static let method = "history/export"

  /// The folder, which must be there.
  @LimitedText<PathLength> public var directory: String
  /// Whose. `*` is everybody's, for a connection that is not confined to one. Default: the account of `initialize`,
  /// else `owner`.
  @Limited<AccountOrEverybody> public var account: AccountID?
  /// How. Default and only one: `jsonl`.
  public var format: Format?

  public enum Format: String, Codable, Sendable, CaseIterable {
    /// A record a line, newest first, each the JSON of an entry of `history`.
    case jsonl
  }

  public init(directory: String, account: AccountID? = nil, format: Format? = nil) {
    self.directory = directory
    self.account = account
    self.format = format
  }

  public struct Result: Codable, Sendable, Equatable {
    /// The file of records.
    public var path: String
    /// How many records it has.
    public var entries: Int
    /// How many pictures and thumbnails lie beside it.
    public var files: Int

    public init(path: String, entries: Int, files: Int) {
      self.path = path
      self.entries = entries
      self.files = files
    }
  }
}

extension HistoryExport: SchemaDescribed {
  public static let summary =
    "Writes history and its pictures into a folder of the host's. Called again it goes on: pictures that are there are "
    + "not written again, and the file of records takes the place of the one before when it is whole. Nothing that is "
    + "not of an export is overwritten."

  public static let members = [
    "directory": "The folder, which must be there.",
    "account":
      "Whose. `*` is everybody's, for a connection that is not confined to one. Default: the account of "
      + "`initialize`, else `owner`.",
    "format": "How. Default and only one: `jsonl`, a record a line, newest first.",
  ]
}

extension HistoryExport.Result: SchemaDescribed {
  public static let summary = "What was written."

  public static let members = [
    "path": "The file of records.",
    "entries": "How many records it has.",
    "files": "How many pictures and thumbnails lie beside it.",
  ]
}

/// `feedback/submit`: keeps what a person thought of a result.
///
/// It stays on this machine, in history, takes the place of what was said before and is deleted with its generation. Of
/// a private generation only the rating is kept.
public struct FeedbackSubmit: RequestMessage {
  public static let method = "feedback/submit"

  public var generationId: GenerationID
  /// 1 to 5, from bad to good.
  @LimitedInteger<Rating> public var rating: Int
  /// In the person's own words.
  @Limited<FeedbackLength> public var text: String?
  /// Whose it is. Default: the account of `initialize`, else any.
  public var account: AccountID?

  public init(generationId: GenerationID, rating: Int, text: String? = nil, account: AccountID? = nil) {
    self.generationId = generationId
    self.rating = rating
    self.text = text
    self.account = account
  }

  public struct Result: Codable, Sendable, Equatable {
    public var generationId: GenerationID
    public var feedback: History.Entry.Feedback

    public init(generationId: GenerationID, feedback: History.Entry.Feedback) {
      self.generationId = generationId
      self.feedback = feedback
    }
  }
}

extension FeedbackSubmit: SchemaDescribed {
  public static let summary =
    "Keeps what a person thought of a result that has ended. It stays on this machine, in history, takes the place of "
    + "what was said before and is deleted with its generation. Of a private generation only the rating is kept."

  public static let members = [
    "rating": "1 to 5, from bad to good.",
    "text": "In the person's own words.",
    "account": "Whose it is. Default: the account of `initialize`, else any.",
  ]
}

extension FeedbackSubmit.Result: SchemaDescribed {
  public static let summary = "What is kept."
  public static let members: [String: String] = [:]
}
