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
