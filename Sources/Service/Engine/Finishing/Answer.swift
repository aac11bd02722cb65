import AtelierProtocol

/// What a caller is answered that waits for the end of a generation: the generation as it ended, also when it failed, or
/// why this process does not see it end.
typealias Answer = Result<Generation, AtelierError>

extension Answer {
  /// The generation is no longer known here; the answer only to a caller that asks twice.
  static func vanished(_ id: GenerationID) -> Answer { .failure(AtelierError(.notFound, generationId: id)) }

  /// It stays in the database for the next process.
  static func leftQueued(_ id: GenerationID) -> Answer {
    .failure(
      AtelierError(
        .interrupted, "The service is stopping. Your request waits, and goes on when the service runs again.",
        generationId: id))
  }

  /// This process leaves it unfinished.
  static func interrupted(_ id: GenerationID) -> Answer { .failure(AtelierError(.interrupted, generationId: id)) }

  /// The result, for a caller to whom a failed generation is an error, unless it hands over what could not be stored.
  /// - Throws: the error the generation ended with.
  func result() throws(AtelierError) -> Generation {
    let generation = try get()
    if let error = generation.error, !generation.handsOver { throw AtelierError(error) }
    return generation
  }
}

extension Generation {
  /// Whether it ended with a result.
  var hasResult: Bool { state == .succeeded || state == .partial }
}
