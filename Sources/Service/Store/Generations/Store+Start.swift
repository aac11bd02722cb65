import AtelierProtocol

extension Store {
  /// Moves a queued generation of this process to `running`. One in the offline queue, which a limit of running ones does
  /// not count, is begun by ``claimNext(for:includingUnclaimed:standardModel:standardTextModel:perAccount:)``: this changes
  /// no count that a request of the same group may have read.
  /// - Throws: what ``checkReady()`` throws; the generation is then unchanged.
  public func start(_ id: GenerationID) async throws(AtelierError) -> NoteOutcome {
    try await checkReady()
    return try await write(to: [id], reading: { [try GenerationTable.life(of: id)] }) { [self] session in
      guard let state = try stateAfter(.started, of: id, in: session) else { return try standing(id, in: session) }
      try session.generations.begin(id, as: state, process: process, at: surroundings.now())
      return .goOn
    }
  }

  /// Records that something of a generation of this process is about to be sent to a provider. From then on, the death
  /// of this process interrupts it; until then, any process may start it anew.
  public func noteSending(_ id: GenerationID) async throws(AtelierError) -> NoteOutcome {
    try await write(to: [id], reading: { [try GenerationTable.life(of: id)] }) { [self] session in
      let outcome = try standing(id, in: session)
      if outcome == .goOn { try session.generations.noteSent(id) }
      return outcome
    }
  }
}
