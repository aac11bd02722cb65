import JSON

/// Notes at a generation that has ended what a host wants to find again.
///
/// The answer is its record as it is now.
public struct HistoryAnnotate: RequestMessage {
  public static let method = "history/annotate"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound, .notFinished, .storageFull]

  /// The generation; it must have ended.
  public var generationId: GenerationID
  /// In place of what came with the request or an earlier note. Default: it stays.
  @Limited<Metadata> public var metadata: JSONObject?
  /// Whether it is a favorite: `history` can be asked for those alone. Default: it stays what it was.
  public var favorite: Bool?
  /// The account it must belong to, by the rule for accounts.
  public var account: AccountID?

  public init(
    generationId: GenerationID, metadata: JSONObject? = nil, favorite: Bool? = nil, account: AccountID? = nil
  ) {
    self.generationId = generationId
    self.metadata = metadata
    self.favorite = favorite
    self.account = account
  }

  /// The record as it is now.
  public typealias Result = Generation
}

/// Forgets one generation, or all of an account's, with their files.
///
/// What was spent stays in the ledger. Generations that still run are cancelled first.
public struct HistoryDelete: RequestMessage {
  public static let method = "history/delete"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound]

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

extension HistoryDelete {
  /// What is to be forgotten: one generation, or all of an account's.
  public enum Target: Sendable, Equatable {
    /// One generation; of this account, where one is named.
    case generation(GenerationID, account: AccountID?)
    case everything(of: AccountID)
  }
}

extension HistoryDelete.Target: Codable {
  enum CodingKeys: CodingKey {
    /// The generation to forget; this, or `account` with `all`.
    case generationId
    /// Whose; required with `all`.
    case account
    /// true: everything of `account`.
    case all
  }

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

/// Writes history and its pictures into a folder of the host's.
///
/// Called again it goes on: pictures that are there are not written again, and the file of records takes the
/// place of the one before when it is whole. Nothing that is not of an export is overwritten.
public struct HistoryExport: RequestMessage {
  public static let method = "history/export"
  public static let errors: [ErrorKind] = [.permissionDenied, .fileAccessDenied, .storageFull]

  /// The folder, which must be there.
  @LimitedText<PathLength> public var directory: String
  /// The account, by the rule for accounts; `*` is everybody's.
  @Limited<AccountOrEverybody> public var account: AccountID?
  /// How. Default and only one: `jsonl`, a record a line, newest first.
  public var format: Format?

  /// How history is written.
  public enum Format: String, Codable, Sendable, CaseIterable {
    /// A record a line, newest first, each the JSON of an entry of `history`.
    case jsonl
  }

  public init(directory: String, account: AccountID? = nil, format: Format? = nil) {
    self.directory = directory
    self.account = account
    self.format = format
  }

  /// What was written.
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

/// Keeps what a person thought of a result that has ended.
///
/// It stays on this machine, in history, takes the place of what was said before and is deleted with its
/// generation. Of a private generation only the rating is kept.
public struct FeedbackSubmit: RequestMessage {
  public static let method = "feedback/submit"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound, .notFinished, .storageFull]

  /// The generation; it must have ended.
  public var generationId: GenerationID
  /// 1 to 5, from bad to good.
  @LimitedInteger<Rating> public var rating: Int
  /// In the person's own words.
  @Limited<FeedbackLength> public var text: String?
  /// The account it must belong to, by the rule for accounts.
  public var account: AccountID?

  public init(generationId: GenerationID, rating: Int, text: String? = nil, account: AccountID? = nil) {
    self.generationId = generationId
    self.rating = rating
    self.text = text
    self.account = account
  }

  /// What is kept.
  public struct Result: Codable, Sendable, Equatable {
    /// The generation.
    public var generationId: GenerationID
    /// What is kept of it.
    public var feedback: Generation.Feedback

    public init(generationId: GenerationID, feedback: Generation.Feedback) {
      self.generationId = generationId
      self.feedback = feedback
    }
  }
}
