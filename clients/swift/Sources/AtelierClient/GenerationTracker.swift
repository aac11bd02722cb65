import AtelierProtocol

/// What is known of one generation, as a value: events go in, what to do about them comes out.
struct GenerationTracker: Sendable {
  /// Whom the generation belongs to.
  enum Tie: Sendable {
    /// To its waiters: it is cancelled with the task that waits for it, and when the studio is closed by an error.
    case waiters
    /// To itself: it outlives this connection.
    case itself
    /// To somebody else: it is only watched.
    case others
  }

  /// What must be done because of an event.
  enum Step: Sendable, Equatable {
    case nothing
    /// Nothing was sent: what prepares the request must stop.
    case stopPreparing
    /// The service must cancel the request that is in flight.
    case cancelRequest
    /// The request is answered, or only a watch: the generation itself must be cancelled.
    case cancelGeneration(GenerationID)
  }

  private enum Stage {
    case preparing, sending, inFlight, accepted, ended
  }

  /// Of more progress that nobody has read, the newest is kept. A generation rarely reports more.
  static let keptProgress = 256

  let tie: Tie
  private var stage = Stage.preparing
  private(set) var generationID: GenerationID?
  private(set) var progress: [GenerationProgress] = []
  private(set) var outcome: Result<Generation, AtelierError>?
  private(set) var isCancelled = false

  init(_ tie: Tie, generationID: GenerationID? = nil) {
    self.tie = tie
    self.generationID = generationID
  }

  var hasEnded: Bool { outcome != nil }
  /// Whether this connection owes nothing more: it has ended, or it is detached and accepted.
  var isSettled: Bool { stage == .accepted || stage == .ended }

  /// The first progress that is newer than `sequence`.
  func progress(after sequence: Int64?) -> GenerationProgress? {
    guard let newest = progress.last, sequence.map({ newest.sequence > $0 }) ?? true else { return nil }
    guard let sequence else { return progress.first }
    return progress.first { $0.sequence > sequence }
  }

  mutating func cancel() -> Step {
    guard outcome == nil, !isCancelled else { return .nothing }
    isCancelled = true
    switch (stage, generationID) {
    // A watch is begun nevertheless: the generation is somebody else's, and only the service can cancel it.
    case (.preparing, _): return tie == .others ? .nothing : .stopPreparing
    case (.inFlight, let id?) where tie == .others: return .cancelGeneration(id)
    case (.inFlight, _): return .cancelRequest
    case (.accepted, let id?): return .cancelGeneration(id)
    case (.sending, _), (.accepted, nil), (.ended, _): return .nothing
    }
  }

  /// - Returns: false when it was cancelled before: then it has ended, and nothing may be sent.
  mutating func beginSending() -> Bool {
    guard stage == .preparing else { return false }
    if isCancelled, tie != .others {
      end(.failure(.cancelledBeforeSent))
      return false
    }
    stage = .sending
    return true
  }

  /// The request is on its way. The answer may have come already.
  mutating func sent() -> Step {
    guard stage == .sending else { return .nothing }
    stage = .inFlight
    guard isCancelled else { return .nothing }
    if tie == .others, let generationID { return .cancelGeneration(generationID) }
    return .cancelRequest
  }

  mutating func received(_ new: GenerationProgress) {
    generationID = new.generationId
    guard outcome == nil, progress.last.map({ new.sequence > $0.sequence }) ?? true else { return }
    if progress.count == Self.keptProgress { progress.removeFirst(Self.keptProgress / 4) }
    progress.append(new)
  }

  /// The answer to the request: the end, or the acceptance of a detached generation.
  mutating func answered(_ answer: Result<Generation, AtelierError>) -> Step {
    if case .success(let generation) = answer {
      generationID = generation.generationId
      if !generation.state.isFinal, tie == .itself, outcome == nil {
        stage = .accepted
        return isCancelled ? .cancelGeneration(generation.generationId) : .nothing
      }
    }
    end(answer)
    return .nothing
  }

  /// The generation has ended, or nothing more will be known of it here. Only the first end counts.
  mutating func end(_ answer: Result<Generation, AtelierError>) {
    guard outcome == nil else { return }
    stage = .ended
    outcome = answer.flatMap(Self.outcome)
  }

  /// A generation that was cancelled is a result; one that failed is an error.
  private static func outcome(of generation: Generation) -> Result<Generation, AtelierError> {
    if let error = generation.error {
      var told = AtelierError(error)
      told.generationId = told.generationId ?? generation.generationId
      return .failure(told)
    }
    switch generation.state {
    case .succeeded, .partial, .cancelled: return .success(generation)
    case .queued, .running:
      return .failure(AtelierError(.protocolError, "The service's answer is not the end of the generation."))
    case .failed, .interrupted, .expired:
      var error = AtelierError(
        generation.state == .interrupted ? .interrupted : .internal, generationId: generation.generationId)
      if generation.state == .expired { error.otherKind = AtelierError.OtherKind(name: "expired", code: 0) }
      return .failure(error)
    }
  }
}
