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
