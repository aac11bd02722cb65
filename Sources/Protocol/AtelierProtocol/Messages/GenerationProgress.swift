import JSON
import Localization

/// The progress of a generation, at least once a second until it ends.
public struct GenerationProgress: NotificationMessage {
  public static let method = "generation/progress"

  /// The generation.
  public var generationId: GenerationID
  /// The id of the request that the progress is for, as it was sent: the one that started the generation, or one that
  /// watches it. Absent for a generation that another process has accepted and that no request watches.
  public var requestId: JSONValue?
  /// Rises with every notification about the generation that is for the same request; numbers may be skipped.
  public var sequence: Int64
  /// The state of the generation: `queued` or `running`.
  public var state: GenerationState
  /// The current phase.
  public var phase: Phase
  /// What the generation is doing, as a sentence for the person.
  public var message: Sentence
  /// The part of the phase that is done, from 0 to 1 with at most three decimals; absent if unknown.
  public var fraction: Double?
  /// The part of the generation that is done, from 0 to 1 with at most three decimals. It decreases only when the
  /// generation returns to the phase `queued`.
  public var overall: Double
  /// The picture that is being made; absent if there is only one.
  public var step: Step?
  /// The places of a `places` request that lookups have confirmed so far, all of them each time. The list at the end has
  /// those that the model chose. Absent while there are none, and for a private generation.
  public var places: [Place]?
  /// Milliseconds since the generation was accepted.
  public var elapsedMs: Int64
  /// The position among the waiting generations: 1 starts next. Absent if the generation is not waiting.
  public var queuePosition: Int?
  /// Estimated milliseconds until the end, based on the duration of earlier generations; absent if there is no
  /// estimate.
  public var etaMs: Int64?

  public init(
    generationId: GenerationID, requestId: JSONValue? = nil, sequence: Int64, state: GenerationState, phase: Phase,
    message: Sentence, fraction: Double? = nil, overall: Double, step: Step? = nil, places: [Place]? = nil,
    elapsedMs: Int64, queuePosition: Int? = nil, etaMs: Int64? = nil
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
    self.places = places
    self.elapsedMs = elapsedMs
    self.queuePosition = queuePosition
    self.etaMs = etaMs
  }

  /// Which of several pictures is being made.
  public struct Step: Codable, Sendable, Equatable {
    /// The position of the picture, from 0.
    public var index: Int
    /// The number of pictures.
    public var count: Int

    public init(index: Int, count: Int) {
      self.index = index
      self.count = count
    }
  }
}
