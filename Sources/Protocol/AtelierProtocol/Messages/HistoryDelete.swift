import JSON

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
