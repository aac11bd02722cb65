import JSONRPC

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
