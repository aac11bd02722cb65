import JSON

/// `status`: where the service, a generation or an account stands, by what the params name.
///
/// With nothing the service; with `generationId` or `idempotencyKey` that generation; with `account` alone that
/// account.
public struct Status: RequestMessage {
  public static let method = "status"

  /// The generation asked about.
  public var target: GenerationTarget?
  /// Whose generation it is; alone, the account asked about.
  public var account: AccountID?

  public init(target: GenerationTarget? = nil, account: AccountID? = nil) {
    self.target = target
    self.account = account
  }

  private enum CodingKeys: CodingKey { case account }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    account = try members.decodeIfPresent(AccountID.self, forKey: .account)
    target = try GenerationTarget(ifPresentIn: decoder)
  }

  public func encode(to encoder: any Encoder) throws {
    try target?.encode(to: encoder)
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encodeIfPresent(account, forKey: .account)
  }
}

extension Status: SchemaDescribed {
  public static let summary =
    "Where the service, a generation or an account stands, by what the params name. With nothing the service; "
    + "with `generationId` or `idempotencyKey` that generation; with `account` alone that account."

  public static let members = [
    "generationId": "The generation; this or `idempotencyKey`.",
    "idempotencyKey": "The key it was asked for with; this or `generationId`.",
    "account": "Whose generation it is; alone, the account asked about.",
  ]

  public static let keywords: JSONObject = ["not": ["required": ["generationId", "idempotencyKey"]]]
}

extension Status {
  /// The answer, by what was asked about.
  public enum Result: Sendable, Equatable {
    case service(ServiceStatus)
    case generation(GenerationStatus)
    case account(AccountStatus)
  }
}

extension Status.Result: Codable {
  private enum CodingKeys: CodingKey { case generationId, tier }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    if members.contains(.generationId) {
      self = .generation(try GenerationStatus(from: decoder))
    } else if members.contains(.tier) {
      self = .account(try AccountStatus(from: decoder))
    } else {
      self = .service(try ServiceStatus(from: decoder))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .service(let status): try status.encode(to: encoder)
    case .generation(let status): try status.encode(to: encoder)
    case .account(let status): try status.encode(to: encoder)
    }
  }
}

/// Where one generation stands.
public struct GenerationStatus: Codable, Sendable, Equatable {
  public var generationId: GenerationID
  public var state: GenerationState
  /// What it does; of one that has ended, what it did last.
  public var phase: Phase
  /// The same as a sentence for people.
  public var message: String
  /// How much of the phase is done, 0 to 1, where that is known.
  public var fraction: Double?
  /// The number of its latest progress notification.
  public var sequence: Int64
  public var createdAt: Timestamp
  public var startedAt: Timestamp?
  public var finishedAt: Timestamp?
  /// 1 for the next to start; absent when it does not wait.
  public var queuePosition: Int?
  /// Milliseconds until its end, by how long others took; absent where nothing is known.
  public var etaMs: Int64?
  public var account: AccountID
  public var recipe: Recipe
  public var provider: ProviderID?
  /// Why it failed.
  public var error: ErrorBody?
  /// Its result, once there is one; never with inline data.
  public var result: Generate.Result?

  public init(
    generationId: GenerationID, state: GenerationState, phase: Phase, message: String, fraction: Double? = nil,
    sequence: Int64, createdAt: Timestamp, startedAt: Timestamp? = nil, finishedAt: Timestamp? = nil,
    queuePosition: Int? = nil, etaMs: Int64? = nil, account: AccountID, recipe: Recipe, provider: ProviderID? = nil,
    error: ErrorBody? = nil, result: Generate.Result? = nil
  ) {
    self.generationId = generationId
    self.state = state
    self.phase = phase
    self.message = message
    self.fraction = fraction
    self.sequence = sequence
    self.createdAt = createdAt
    self.startedAt = startedAt
    self.finishedAt = finishedAt
    self.queuePosition = queuePosition
    self.etaMs = etaMs
    self.account = account
    self.recipe = recipe
    self.provider = provider
    self.error = error
    self.result = result
  }
}

extension GenerationStatus: SchemaDescribed {
  public static let summary = "Where one generation stands."

  public static let members = [
    "phase": "What it does; of one that has ended, what it did last.",
    "message": "The same as a sentence for people.",
    "fraction": "How much of the phase is done, 0 to 1, where that is known.",
    "sequence": "The number of its latest progress notification.",
    "queuePosition": "1 for the next to start; absent when it does not wait.",
    "etaMs": "Milliseconds until its end, by how long others took; absent where nothing is known.",
    "error": "Why it failed.",
    "result": "Its result, once there is one; never with inline data.",
  ]
}

/// What an account has and may.
public struct AccountStatus: Codable, Sendable, Equatable {
  public var account: AccountID
  public var tier: Tier
  public var credits: CreditBalance
  /// Limits that apply now; none for an account that is not metered.
  public var limits: [Limit]
  /// Until when its requests are refused.
  public var cooldownUntil: Timestamp?
  /// Its generations that have not ended, oldest first.
  public var running: [GenerationID]

  public init(
    account: AccountID, tier: Tier, credits: CreditBalance, limits: [Limit], cooldownUntil: Timestamp? = nil,
    running: [GenerationID]
  ) {
    self.account = account
    self.tier = tier
    self.credits = credits
    self.limits = limits
    self.cooldownUntil = cooldownUntil
    self.running = running
  }

  /// One limit and how much of it is used.
  public struct Limit: Codable, Sendable, Equatable {
    /// What is counted, such as `minute`, `day` or `concurrent`.
    public var scope: String
    /// The recipe it is for; absent when for all.
    public var recipe: Recipe?
    public var limit: Int
    public var used: Int
    /// When it is free again.
    public var resetsAt: Timestamp?

    public init(scope: String, recipe: Recipe? = nil, limit: Int, used: Int, resetsAt: Timestamp? = nil) {
      self.scope = scope
      self.recipe = recipe
      self.limit = limit
      self.used = used
      self.resetsAt = resetsAt
    }
  }
}

extension AccountStatus: SchemaDescribed {
  public static let summary = "What an account has and may."

  public static let members = [
    "limits": "Limits that apply now; none for an account that is not metered.",
    "cooldownUntil": "Until when its requests are refused.",
    "running": "Its generations that have not ended, oldest first.",
  ]
}

extension AccountStatus.Limit: SchemaDescribed {
  public static let summary = "One limit and how much of it is used."

  public static let members = [
    "scope": "What is counted, such as `minute`, `day` or `concurrent`.",
    "recipe": "The recipe it is for; absent when for all.",
    "resetsAt": "When it is free again.",
  ]
}
