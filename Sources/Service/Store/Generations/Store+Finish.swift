import AtelierProtocol

extension Store {
  /// Ends a generation: writes its images, its cost and its final state in one transaction.
  ///
  /// The store owns the staged files from here on, whatever the outcome. Only if this throws, the caller still owns
  /// them, to try again or to ``discard(_:)``.
  /// - Parameter accepted: the accepted row, if the caller has it, so that it need not be read again.
  /// - Throws: `storage_full`, `overloaded`; `not_found` when an image of an earlier generation is gone.
  public func finish(
    _ settlement: Settlement, of accepted: GenerationRow? = nil
  ) async throws(AtelierError) -> FinishOutcome {
    guard let outcome = try await finish([(settlement, accepted)]).first else { throw AtelierError(.internal) }
    return outcome
  }

  /// Ends several generations in one transaction: all or none.
  /// - Throws: what one of them throws; the caller then still owns all staged files.
  public func finish(
    _ settlements: [(settlement: Settlement, accepted: GenerationRow?)]
  ) async throws(AtelierError) -> [FinishOutcome] {
    for (settlement, _) in settlements where !settlement.state.isFinal {
      throw AtelierError(.internal, "A generation can only end in a final state, not as \(settlement.state.rawValue).")
    }
    let columns: [SettlementColumns]
    do {
      columns = try settlements.map { try SettlementColumns($0.settlement) }
    } catch {
      throw atelierError(error)
    }
    return try await write(
      putting: settlements.flatMap(\.settlement.neededArtifacts), usingUp: settlements.flatMap(\.settlement.stagedArtifacts)
    ) { [self] session in
      try zip(settlements, columns).map { try finish($0.settlement, of: $0.accepted, as: $1, in: session) }
    }
  }

  private func finish(
    _ settlement: Settlement, of accepted: GenerationRow?, as columns: SettlementColumns, in session: any SQLSession
  ) throws -> FinishOutcome {
    guard var life = try session.generations.life(of: settlement.id)?.generation,
      let row = try accepted ?? generation(settlement.id, in: session)
    else { return .deleted }
    if life.state.isFinal { return try generation(settlement.id, in: session).map(FinishOutcome.alreadyFinal) ?? .deleted }
    guard let event = settlement.event, (try? life.apply(event)) != nil, life.state == settlement.state else {
      throw AtelierError(
        .internal, "A generation that is \(life.state.rawValue) cannot end as \(settlement.state.rawValue).")
    }
    let now = surroundings.now()
    var finished = row.ended(by: settlement, at: now)
    for file in settlement.files where row.mayRecord(file) { try insert(file, of: row, into: session) }
    if !row.isPrivate { try keepBesides(settlement, of: row, in: session) }
    try charge(&finished, for: settlement, in: session)
    try session.generations.finish(finished, columns)
    return .finished(finished)
  }

  /// Captures the cost of what was delivered from the hold, and releases the rest.
  private func charge(_ finished: inout GenerationRow, for settlement: Settlement, in session: any SQLSession) throws {
    guard finished.credits != nil else { return }
    let cost = settlement.files.reduce(settlement.places?.credits ?? 0) { $0 + $1.credits }
    let due = settlement.isCached || !finished.hasResult ? 0 : cost
    let reason = due == 0 && finished.hasResult ? Ledger.noCost : finished.state.rawValue
    finished.creditsCharged =
      try ledger(in: session).endHold(for: finished.id, capturing: due, because: reason) ?? 0
    finished.credits = try Ledger.credits(of: finished.id, in: session)
  }

  /// Stores what is kept of a generation that is not private, besides its files and its row.
  private func keepBesides(_ settlement: Settlement, of row: GenerationRow, in session: any SQLSession) throws {
    try countTemplateUse(of: row, endedBy: settlement, in: session)
    for turn in settlement.turns { try turn.insert(into: session, generation: row.id) }
    if let key = settlement.cacheKey, settlement.state == .succeeded, !settlement.isCached {
      try session.cacheKeys.insert(key, of: row.id)
    }
    guard settlement.keepsInputs else { return }
    for input in settlement.inputs {
      if case .stored(let artifact) = input.source, try self.artifact(artifact.name, in: session) == nil { continue }
      _ = try insert(input, into: session)
    }
  }
}

extension Settlement {
  /// Whether what the images were made from is kept.
  fileprivate var keepsInputs: Bool { state == .succeeded || state == .partial }

  /// The staged files that may be recorded.
  fileprivate var neededArtifacts: [StagedArtifact] {
    (files.map(\.source) + (keepsInputs ? inputs.map(\.source) : [])).compactMap(\.staged)
  }

  /// All its staged files.
  var stagedArtifacts: [StagedArtifact] {
    (files.map(\.source) + inputs.map(\.source)).compactMap(\.staged)
  }
}

extension GenerationRow {
  fileprivate var hasResult: Bool { (state == .succeeded || state == .partial) && (!images.isEmpty || places != nil) }
}
