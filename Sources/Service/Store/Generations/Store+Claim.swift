import AtelierProtocol

extension Store {
  /// Starts the generation that has waited longest for a provider and may start now: this process then owns it, and it
  /// is `running`.
  ///
  /// Takes only generations that have no process or that this process owns. Skips generations whose model has a cooldown,
  /// whose account has a paused queue, or whose account already has its maximum number running. After a cooldown one
  /// generation at a time tries the model, until it succeeds.
  /// - Parameters:
  ///   - includingUnclaimed: false to take only generations that this process owns.
  ///   - standardModel: the model that the provider uses for a request for pictures that names none.
  ///   - standardTextModel: the same for places.
  ///   - perAccount: the maximum number of running generations of a metered account.
  /// - Returns: the row of the generation; nil when there is none.
  public func claimNext(
    for provider: ProviderID, includingUnclaimed: Bool, standardModel: String = "", standardTextModel: String = "",
    perAccount: Int = .max
  ) async throws(AtelierError) -> GenerationRow? {
    let now = surroundings.now()
    let claim = QueueTable.Claim(
      provider: provider, process: process, includesUnclaimed: includingUnclaimed, now: now,
      remembersSince: now.milliseconds.subtractingReportingOverflow(RefusalBackoff.rememberedMs).partialValue,
      standardModel: standardModel, standardTextModel: standardTextModel, perAccount: perAccount)
    // Without a candidate, the write lock is not needed.
    guard try await read({ try $0.queue.first(for: claim) != nil }) else { return nil }
    try await checkReady()
    return try await write { [self] session in
      guard let found = try session.queue.first(for: claim),
        let state = try session.generations.life(of: found.generation)?.generation.state(after: .started)
      else { return nil }
      try session.cooldowns.noteTrial(found.generation, of: provider, model: found.model)
      try session.generations.begin(found.generation, as: state, process: process, at: surroundings.now())
      return try generation(found.generation, in: session)
    }
  }
}
