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
