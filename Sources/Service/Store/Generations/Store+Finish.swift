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
    let ends: [End]
    do {
      ends = try settlements.map { settlement, accepted in
        End(settlement: settlement, accepted: accepted, columns: try SettlementColumns(settlement))
      }
    } catch {
      throw atelierError(error)
    }
    let (needed, staged) = (
      settlements.flatMap(\.settlement.neededArtifacts), settlements.flatMap(\.settlement.stagedArtifacts))
    // Of an end whose row is not at hand, nobody knows yet which account it concerns.
    guard ends.allSatisfy({ $0.accepted != nil }) else {
      return try await write(putting: needed, usingUp: staged) { [self] session in try finish(ends, in: session) }
    }
    let foresight = Foresight(subjects: ends.reduce(into: []) { $0.formUnion($1.subjects) }) { try Self.queries(for: ends) }
    return try await write(putting: needed, usingUp: staged, foreseeing: { [self] in
      ForeseenChange(foresight: foresight) { [self] session in try finish(ends, in: session) }
    })
  }

  /// An end to be written.
  private struct End {
    var settlement: Settlement
    var accepted: GenerationRow?
    var columns: SettlementColumns

    /// What decides about it, and what it changes: as for an acceptance.
    var subjects: Set<String> {
      var subjects: Set = [settlement.id.rawValue]
      if let accepted, accepted.credits != nil || accepted.account != .owner { subjects.insert(accepted.account.rawValue) }
      return subjects
    }
  }

  /// An end that is decided: what it writes is known.
  private struct Decision {
    var end: End
    var row: GenerationRow
    /// The row as it reads from then on; without what is charged, if there is a hold.
    var finished: GenerationRow
    /// Nil when nothing is held.
    var hold: HoldEnding?
  }

  private enum Decided {
    case not(FinishOutcome)
    case ends(Decision)
  }

  /// Reads all that decides about all ends, then writes.
  private func finish(_ ends: [End], in session: any SQLSession) throws -> [FinishOutcome] {
    // Of two ends of one generation, the first decides about the second.
    if Set(ends.map(\.settlement.id)).count < ends.count {
      return try ends.flatMap { try finish([$0], in: session) }
    }
    try session.prefetch(Self.queries(for: ends))
    let isMetered = ends.contains { $0.accepted.map { $0.credits != nil } ?? true }
    let ledger = try isMetered ? ledger(in: session) : nil
    var known = try session.artifacts.known(among: Self.names(ends))
    let now = surroundings.now()
    let decided = try ends.map { try decide($0, at: now, by: ledger, known, in: session) }
    return try decided.map { decided in
      switch decided {
      case .not(let outcome): outcome
      case .ends(let decision): .finished(try write(decision, by: ledger, known: &known, in: session))
      }
    }
  }

  /// What the decision is read from, as far as this is known before anything is read.
  private static func queries(for ends: [End]) throws -> [SQLQuery] {
    let names = names(ends)
    return try ends.flatMap(queries) + (names.isEmpty ? [] : [ArtifactTable.known(among: names)])
  }

  /// Of the files that the ends name.
  private static func names(_ ends: [End]) -> [String] { ends.flatMap(\.settlement.sources).map(\.artifact.name) }

  private static func queries(for end: End) throws -> [SQLQuery] {
    let (id, accepted) = (end.settlement.id, end.accepted)
    var queries = [try GenerationTable.life(of: id)]
    if accepted == nil { queries += try row(of: id) }
    if accepted.map({ $0.credits != nil }) ?? true {
      queries += Ledger.ending(ofHoldFor: id, of: accepted?.account)
    }
    return queries
  }

  /// Writes nothing.
  /// - Parameters:
  ///   - ledger: nil when none of the generations is metered.
  ///   - known: the names of the artifacts that are there already.
  /// - Throws: `not_found` when an image of an earlier generation is gone.
  private func decide(
    _ end: End, at now: Timestamp, by ledger: Ledger?, _ known: Set<String>, in session: any SQLSession
  ) throws -> Decided {
    let settlement = end.settlement
    guard let stored = try session.generations.life(of: settlement.id),
      let row = try end.accepted ?? generation(settlement.id, in: session)
    else { return .not(.deleted) }
    var life = stored.generation
    if life.state.isFinal {
      return .not(try generation(settlement.id, in: session).map(FinishOutcome.alreadyFinal) ?? .deleted)
    }
    guard stored.process == process else {
      return .not(try generation(settlement.id, in: session).map(FinishOutcome.taken) ?? .deleted)
    }
    guard let event = settlement.event, (try? life.apply(event)) != nil, life.state == settlement.state else {
      throw AtelierError(
        .internal, "A generation that is \(life.state.rawValue) cannot end as \(settlement.state.rawValue).")
    }
    if !row.isPrivate { try Self.check(settlement.files.filter(row.mayRecord).map(\.source), known) }
    var decision = Decision(end: end, row: row, finished: row.ended(by: settlement, at: now))
    if row.credits != nil, let ledger {
      let (due, reason) = charge(decision.finished, for: settlement)
      decision.hold = try ledger.ending(ofHoldFor: row.id, capturing: due, because: reason)
      if decision.hold == nil { decision.finished.credits = try Ledger.credits(of: row.id, in: session) }
      decision.finished.creditsCharged = decision.hold?.captured ?? 0
    }
    return .ends(decision)
  }

  /// The cost of what was delivered, to be captured from the hold; the rest is released for this reason.
  private func charge(_ finished: GenerationRow, for settlement: Settlement) -> (due: Int, reason: String) {
    let cost = settlement.files.reduce(settlement.places?.credits ?? 0) { $0 + $1.credits }
    let due = settlement.isCached || !finished.hasResult ? 0 : cost
    return (due, due == 0 && finished.hasResult ? Ledger.noCost : finished.state.rawValue)
  }

  /// - Returns: the row as it reads from then on.
  private func write(
    _ decision: Decision, by ledger: Ledger?, known: inout Set<String>, in session: any SQLSession
  ) throws -> GenerationRow {
    let (settlement, row) = (decision.end.settlement, decision.row)
    var finished = decision.finished
    for file in settlement.files where row.mayRecord(file) {
      try insert(file, of: row, known: &known, into: session)
    }
    if !row.isPrivate { try keepBesides(settlement, of: row, known: &known, in: session) }
    if let hold = decision.hold { finished.credits = try ledger?.end(hold) }
    try session.generations.finish(finished, decision.end.columns)
    return finished
  }

  /// Stores what is kept of a generation that is not private, besides its files and its row.
  private func keepBesides(
    _ settlement: Settlement, of row: GenerationRow, known: inout Set<String>, in session: any SQLSession
  ) throws {
    try countTemplateUse(of: row, endedBy: settlement, in: session)
    for turn in settlement.turns { try turn.insert(into: session, generation: row.id) }
    if let key = settlement.cacheKey, settlement.state == .succeeded, !settlement.isCached {
      try session.cacheKeys.insert(key, of: row.id)
    }
    guard settlement.keepsInputs else { return }
    for input in settlement.inputs {
      if case .stored(let artifact) = input.source, !known.contains(artifact.name) { continue }
      _ = try insert(input, known: &known, into: session)
    }
  }
}

extension Settlement {
  /// Whether what the images were made from is kept.
  fileprivate var keepsInputs: Bool { state == .succeeded || state == .partial }

  /// Where the bytes of all its files and inputs are.
  fileprivate var sources: [ArtifactSource] { files.map(\.source) + inputs.map(\.source) }

  /// The staged files that may be recorded.
  fileprivate var neededArtifacts: [StagedArtifact] {
    (files.map(\.source) + (keepsInputs ? inputs.map(\.source) : [])).compactMap(\.staged)
  }

  /// All its staged files.
  var stagedArtifacts: [StagedArtifact] { sources.compactMap(\.staged) }
}

extension GenerationRow {
  fileprivate var hasResult: Bool { (state == .succeeded || state == .partial) && (!images.isEmpty || places != nil) }
}
