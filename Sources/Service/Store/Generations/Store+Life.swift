import AtelierProtocol

/// What several transitions of a generation share: its stored life, whether this process still works on it, and how one
/// ends that delivered nothing.
///
/// Each transition has a file of its own: accept, start, claim, park, release, cancel, finish, recover, expire.
/// ``GenerationLifecycle`` alone decides which are allowed, inside the transaction that writes the result.
extension Store {
  /// Applies an event to the stored life of a generation of this process. Writes nothing.
  /// - Returns: the state that follows; nil when there is none, because the generation is gone, has ended, or belongs to
  ///   another process.
  func stateAfter(
    _ event: GenerationLifecycle.Event, of id: GenerationID, in session: any SQLSession
  ) throws -> GenerationState? {
    guard let life = try session.generations.life(of: id), life.process == process else { return nil }
    return life.generation.state(after: event)
  }

  /// Whether this process must continue the generation.
  func standing(_ id: GenerationID, in session: any SQLSession) throws -> NoteOutcome {
    guard let life = try session.generations.life(of: id) else { return .ended(nil) }
    return life.generation.state.isFinal || life.process != process ? .ended(life.generation.state) : .goOn
  }

  /// Writes the end of a generation that delivered nothing, and releases its hold.
  /// - Parameter owner: its process.
  func finish(
    _ id: GenerationID, of owner: ProcessID, as state: GenerationState, because error: AtelierError?,
    in session: any SQLSession
  ) throws {
    try session.prefetch(Ledger.ending(ofHoldFor: id, of: nil))
    let ledger = try ledger(in: session)
    let hold = try ledger.ending(ofHoldFor: id, capturing: 0, because: state.rawValue)
    try session.generations.finish(id, as: state, at: surroundings.now(), because: error)
    if let hold { _ = try ledger.end(hold) }
    try noteLoss(of: [id], by: owner, in: session)
  }

  /// Lets a process hear, with its next heartbeat, that its generations were ended or taken: by another one, or by itself
  /// where a generation on its way to or from the queue would miss it.
  func noteLoss(of ids: [GenerationID], by owner: ProcessID, in session: any SQLSession) throws {
    guard owner != .nobody else { return }
    try session.watches.noteLoss(of: ids, by: owner, at: surroundings.now())
  }
}

extension GenerationLifecycle {
  /// The state that follows an event; nil when the event cannot happen.
  func state(after event: Event) -> GenerationState? {
    var life = self
    return (try? life.apply(event)) == nil ? nil : life.state
  }
}

/// The result of ``Store/start(_:)`` and ``Store/note(_:for:)``.
public enum NoteOutcome: Sendable, Equatable {
  /// This process must continue the generation.
  case goOn
  /// The generation ended meanwhile because another process cancelled or deleted it (nil: the row is gone). Stop the
  /// work.
  case ended(GenerationState?)
}
