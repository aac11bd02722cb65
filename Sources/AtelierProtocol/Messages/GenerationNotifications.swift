import JSON

/// How far a generation is; at least once a second while it goes on.
public struct GenerationProgress: NotificationMessage {
  public static let method = "generation/progress"

  /// The generation.
  public var generationId: GenerationID
  /// The id of the `generate` it belongs to, as it was sent; absent for one taken over from another process.
  public var requestId: JSONValue?
  /// Strictly rises within a generation; steps may be left out.
  public var sequence: Int64
  /// Where it stands: `queued` or `running`.
  public var state: GenerationState
  /// What it does now.
  public var phase: Phase
  /// The phase as a sentence for people.
  public var message: String
  /// How much of the phase is done, 0 to 1 with at most three decimals, where that is known.
  public var fraction: Double?
  /// How much of everything is done, 0 to 1 with at most three decimals. It never steps back.
  public var overall: Double
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
    message: String, fraction: Double? = nil, overall: Double, step: Step? = nil, elapsedMs: Int64, queuePosition: Int? = nil,
    etaMs: Int64? = nil
  ) {
    self.generationId = generationId
    self.requestId = requestId
    self.sequence = sequence
    self.state = state
    self.phase = phase
    self.message = message
    self.fraction = fraction
    self.overall = overall
    self.step = step
    self.elapsedMs = elapsedMs
    self.queuePosition = queuePosition
    self.etaMs = etaMs
  }

  /// Which of several pictures is being made.
  public struct Step: Codable, Sendable, Equatable {
    /// From 0.
    public var index: Int
    /// How many pictures there are.
    public var count: Int

    public init(index: Int, count: Int) {
      self.index = index
      self.count = count
    }
  }
}

/// The end of a detached generation, exactly once, to the process that started it.
public struct GenerationFinished: NotificationMessage {
  public static let method = "generation/finished"

  /// The generation, in a final state; never with inline data.
  public var generation: Generation

  public init(_ generation: Generation) { self.generation = generation }

  public init(from decoder: any Decoder) throws { generation = try Generation(from: decoder) }

  public func encode(to encoder: any Encoder) throws { try generation.encode(to: encoder) }
}
