import JSON

/// `generation/progress`: how far a generation is; at least once a second while it goes on.
public struct GenerationProgress: NotificationMessage {
  public static let method = "generation/progress"

  public var generationId: GenerationID
  /// The id of the `generate` it belongs to, as it was sent; absent for one taken over from another process.
  public var requestId: JSONValue?
  /// Strictly rises within a generation; steps may be left out.
  public var sequence: Int64
  public var state: GenerationState
  public var phase: Phase
  /// The phase as a sentence for people.
  public var message: String
  /// How much of the phase is done, 0 to 1, where that is known.
  public var fraction: Double?
  /// Which of several pictures.
  public var step: Step?
  /// Milliseconds since it was accepted.
  public var elapsedMs: Int64
  /// 1 for the next to start; absent when it does not wait.
  public var queuePosition: Int?
  /// Milliseconds until its end, by how long others took.
  public var etaMs: Int64?

  public init(
    generationId: GenerationID, requestId: JSONValue? = nil, sequence: Int64, state: GenerationState, phase: Phase,
    message: String, fraction: Double? = nil, step: Step? = nil, elapsedMs: Int64, queuePosition: Int? = nil,
    etaMs: Int64? = nil
  ) {
    self.generationId = generationId
    self.requestId = requestId
    self.sequence = sequence
    self.state = state
    self.phase = phase
    self.message = message
    self.fraction = fraction
    self.step = step
    self.elapsedMs = elapsedMs
    self.queuePosition = queuePosition
    self.etaMs = etaMs
  }

  /// Which of several pictures is being made.
  public struct Step: Codable, Sendable, Equatable {
    /// From 0.
    public var index: Int
    public var count: Int

    public init(index: Int, count: Int) {
      self.index = index
      self.count = count
    }
  }
}

extension GenerationProgress: SchemaDescribed {
  public static let summary = "How far a generation is; at least once a second while it goes on."

  public static let members = [
    "requestId":
      "The id of the `generate` it belongs to, as it was sent; absent for one taken over from another process.",
    "sequence": "Strictly rises within a generation; steps may be left out.",
    "message": "The phase as a sentence for people.",
    "fraction": "How much of the phase is done, 0 to 1, where that is known.",
    "step": "Which of several pictures.",
    "elapsedMs": "Milliseconds since it was accepted.",
    "queuePosition": "1 for the next to start; absent when it does not wait.",
    "etaMs": "Milliseconds until its end, by how long others took.",
  ]
}

extension GenerationProgress.Step: SchemaDescribed {
  public static let summary = "Which of several pictures is being made."

  public static let members = [
    "index": "From 0."
  ]
}

/// `generation/finished`: the end of a detached generation, exactly once, to the process that started it.
public struct GenerationFinished: NotificationMessage {
  public static let method = "generation/finished"

  public var generationId: GenerationID
  /// A final state.
  public var state: GenerationState
  /// Its result, unless it failed.
  public var result: Generate.Result?
  /// Why it failed.
  public var error: ErrorBody?

  public init(
    generationId: GenerationID, state: GenerationState, result: Generate.Result? = nil, error: ErrorBody? = nil
  ) {
    self.generationId = generationId
    self.state = state
    self.result = result
    self.error = error
  }
}

extension GenerationFinished: SchemaDescribed {
  public static let summary = "The end of a detached generation, exactly once, to the process that started it."

  public static let members = [
    "state": "A final state.",
    "result": "Its result, unless it failed.",
    "error": "Why it failed.",
  ]
}
