import AtelierProtocol

/// How a generation ended: what its caller is answered, and what `generation/finished` says.
public struct FinishedGeneration: Sendable, Equatable {
  public var generationId: GenerationID
  public var state: GenerationState
  /// The answer of one that succeeded, in part or whole, or was cancelled.
  public var result: Generate.Result?
  /// The answer of one that failed.
  public var error: AtelierError?

  /// Whether it ended with something to see.
  var hasPictures: Bool { state == .succeeded || state == .partial }

  /// Nobody here knows it any more; only ever answered to somebody who asks twice.
  static func vanished(_ id: GenerationID) -> FinishedGeneration {
    FinishedGeneration(generationId: id, state: .cancelled, error: AtelierError(.notFound, generationId: id))
  }

  /// It stays in the database for the next process.
  static func leftQueued(_ id: GenerationID) -> FinishedGeneration {
    FinishedGeneration(
      generationId: id, state: .queued,
      error: AtelierError(
        .interrupted, "The service is ending; the request stays queued and is done when it runs again.",
        generationId: id))
  }

  /// The same as `generation/finished` says it; never with inline data.
  func notification(at now: Timestamp) -> GenerationFinished {
    GenerationFinished(generationId: generationId, state: state, result: result, error: error?.body(at: now))
  }

  /// The result.
  /// - Throws: the error the generation ended with.
  public func answer() throws(AtelierError) -> Generate.Result {
    if let result { return result }
    throw error ?? AtelierError(.internal, "The generation ended without a result.", generationId: generationId)
  }
}
