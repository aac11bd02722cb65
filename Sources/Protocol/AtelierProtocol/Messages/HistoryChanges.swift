import JSON

/// Sets the metadata and the favorite mark of a generation that has ended.
///
/// The answer is the changed generation.
public struct HistoryAnnotate: RequestMessage {
  public static let method = "history/annotate"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound, .notFinished, .storageFull]

  /// The generation; it must have ended.
  public var generationId: GenerationID
  /// Any data of the host, in place of all earlier metadata; at most 4096 bytes as JSON. Default: unchanged.
  @Limited<Metadata> public var metadata: JSONObject?
  /// Whether the generation is a favorite; `history` can list favorites only. Default: unchanged.
  public var favorite: Bool?
  /// The account that the generation must belong to. Default: the connection's account, otherwise any.
  public var account: AccountID?

  public init(
    generationId: GenerationID, metadata: JSONObject? = nil, favorite: Bool? = nil, account: AccountID? = nil
  ) {
    self.generationId = generationId
    self.metadata = metadata
    self.favorite = favorite
    self.account = account
  }

  /// The changed generation.
  public typealias Result = Generation
}

/// Deletes one generation, or all generations of an account, with their files.
///
/// Generations that have not ended are cancelled first. `credits/history` keeps its entries.
public struct HistoryDelete: RequestMessage {
  public static let method = "history/delete"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound]

  /// What to delete.
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

  /// What was deleted.
  public struct Result: Codable, Sendable, Equatable {
    /// The number of deleted generations.
    public var deleted: Int
    /// The size of the deleted files, in bytes.
    public var bytesFreed: Int
    /// Generations that were accepted meanwhile and are not deleted; absent if there are none.
    public var stillRunning: [GenerationID]?

    public init(deleted: Int, bytesFreed: Int, stillRunning: [GenerationID]? = nil) {
      self.deleted = deleted
      self.bytesFreed = bytesFreed
      self.stillRunning = stillRunning
    }
  }
}

extension HistoryDelete {
  /// What is to be deleted: one generation, or all generations of an account.
  public enum Target: Sendable, Equatable {
    /// One generation; if an account is named, the generation must belong to it.
    case generation(GenerationID, account: AccountID?)
    case everything(of: AccountID)
  }
}

extension HistoryDelete.Target: Codable {
  enum CodingKeys: CodingKey {
    /// The generation to delete; this, or `account` with `all`.
    case generationId
    /// The account that the generation must belong to, or whose generations are deleted; required with `all`.
    case account
    /// true: delete all generations of `account`.
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

/// Writes generations and their pictures into a folder of the host.
///
/// A repeated call continues the export: pictures that are already there are not written again, and a new file of
/// records replaces the old one when it is complete. Files that do not belong to an export are never overwritten.
public struct HistoryExport: RequestMessage {
  public static let method = "history/export"
  public static let errors: [ErrorKind] = [.permissionDenied, .fileAccessDenied, .storageFull]

  /// An existing folder.
  @LimitedText<PathLength> public var directory: String
  /// The account, or `*` for all accounts. Default: the connection's account, otherwise `owner`.
  @Limited<AccountOrEverybody> public var account: AccountID?
  /// The format of the file of records. Default: `jsonl`.
  public var format: Format?

  /// The format of the file of records.
  public enum Format: String, Codable, Sendable, CaseIterable {
    /// One generation per line, newest first, as an entry of `history`.
    case jsonl
    /// Only places: a `FeatureCollection` (RFC 7946) with a feature for each, newest first. No pictures are exported.
    case geojson
    /// Only places: a row for each, newest first, under a row of names (RFC 4180). No pictures are exported.
    case csv
  }

  public init(directory: String, account: AccountID? = nil, format: Format? = nil) {
    self.directory = directory
    self.account = account
    self.format = format
  }

  /// What was written.
  public struct Result: Codable, Sendable, Equatable {
    /// The path of the file of records.
    public var path: String
    /// The number of generations in the file, or of places with `geojson` and `csv`.
    public var entries: Int
    /// The number of exported pictures and thumbnails.
    public var files: Int

    public init(path: String, entries: Int, files: Int) {
      self.path = path
      self.entries = entries
      self.files = files
    }
  }
}

/// Stores a person's opinion of a generation that has ended.
///
/// It stays on this machine, replaces the earlier feedback on the generation, and is deleted with the generation. Of a
/// private generation only the rating is stored.
public struct FeedbackSubmit: RequestMessage {
  public static let method = "feedback/submit"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound, .notFinished, .storageFull]

  /// The generation; it must have ended.
  public var generationId: GenerationID
  /// From 1 (bad) to 5 (good).
  @LimitedNumber<Rating> public var rating: Int
  /// The opinion in the person's own words.
  @Limited<FeedbackLength> public var text: String?
  /// The account that the generation must belong to. Default: the connection's account, otherwise any.
  public var account: AccountID?

  public init(generationId: GenerationID, rating: Int, text: String? = nil, account: AccountID? = nil) {
    self.generationId = generationId
    self.rating = rating
    self.text = text
    self.account = account
  }

  /// What was stored.
  public struct Result: Codable, Sendable, Equatable {
    /// The generation.
    public var generationId: GenerationID
    /// The stored feedback.
    public var feedback: Generation.Feedback

    public init(generationId: GenerationID, feedback: Generation.Feedback) {
      self.generationId = generationId
      self.feedback = feedback
    }
  }
}
