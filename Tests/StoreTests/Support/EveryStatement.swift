import AtelierProtocol

@testable import Store

/// Calls every function of the store, in each of the ways that lead to another statement.
struct EveryStatement {
  let fixture: StoreFixture
  /// Sees the statements of SQLite; nil on another engine.
  let trace: StatementTrace?

  private static let day: Int64 = 86_400_000

  func run() async throws {
    try await fixture.dying { store in
      _ = try await store.begin(fixture.acceptance("anna", metering: Metering(credits: 1, limits: [])))
      _ = try await store.accept(fixture.acceptance(isRequeueable: true))
      try await store.checkReady()
      try await store.checkReadyToPay()
      _ = await store.hasLost(.staged(try await store.stage([1], mimeType: "image/png")))
    }
    let store = try await Store.open(
      directory: fixture.directory, server: fixture.server?.server, surroundings: fixture.surroundings)
    try await trace?.attach(to: store)
    _ = try await store.recover()
    _ = try await store.sweep()
    for id in try await store.claimAll() { _ = try await store.cancel(id, account: nil) }
    try await credits(store)
    let made = try await generations(store)
    try await prepared(store, made)
    try await history(store, made)
    try await queue(store)
    try await locations(store)
    try await remarks(store, made)
    try await upkeep(store)
    try await fileNotes(store)
    await store.close()
  }

  /// What a store asks whose files are in a bucket.
  private func fileNotes(_ store: Store) async throws {
    let name = StoredArtifact.name(sha256: String(repeating: "0", count: 64), mimeType: "image/png")
    try await store.write { (session: any SQLSession) in
      let (notes, process) = (session.fileNotes, ProcessID(rawValue: "process"))
      for number in 1...2 { try notes.insert(name, by: process, number: UInt64(number)) }
      _ = (try notes.notes(of: process), try notes.processes(noting: [name]), try notes.processes())
      try notes.delete(of: process, number: 1)
      try notes.delete(of: process)
      for _ in 0..<2 { try notes.beginRemoval(of: name, by: process) }
      _ = (try notes.remover(of: name), try notes.removals())
      try notes.leaveRemoval(of: name, by: process)
      try notes.endRemoval(of: name, by: .nobody)
    }
  }

  private func people(_ store: Store) async throws {
    let now = fixture.clock.now
    for (guest, isLinking) in [("guest", false), ("other", true)] {
      let guest = AccountID(rawValue: guest)
      _ = try await store.grantCredits(5, to: guest, because: "a test")
      _ = try await store.record(Consent(version: "1", acceptedAt: now), of: guest)
      _ = try await store.signIn(Identity(provider: "apple", subject: "1"), as: guest, isLinking: isLinking)
      _ = try await store.presentAccount(of: guest)
    }
    _ = try await store.mergedAccounts(into: "anna")
    _ = try await store.consents(of: "anna")
    for version in ["1", nil] { _ = try await store.hasAccepted(version, "anna") }
    for account in ["anna", "nobody"] as [AccountID] { _ = try await store.hasAnything(of: account) }
    for _ in 0..<2 {
      _ = try await store.signIn(Identity(provider: "apple", subject: "2"), as: "leaver")
      _ = try await store.deleteAccount("leaver")
    }
    try await store.keep(keySet: "{}", of: "https://issuer.example/keys", fetched: now)
    _ = try await store.keySet(of: "https://issuer.example/keys")
  }

  private func credits(_ store: Store) async throws {
    _ = try await store.creditBalance(of: "anna")
    _ = try await store.account("anna")
    _ = try await store.signIn(Identity(provider: "apple", subject: "1"), as: "anna")
    try await people(store)
    let now = fixture.clock.now
    for (source, kind) in [("apple:1", CreditProduct.Kind.bundle), ("apple:2", .subscription), ("apple:3", .subscription)] {
      for _ in 0..<2 {
        _ = try await store.record(
          Purchase(
            source: source, account: "anna", product: "p", kind: kind, credits: 8, quantity: 1, purchasedAt: now,
            expiresAt: kind == .bundle ? nil : now.later(by: Self.day)))
      }
    }
    for _ in 0..<2 { _ = try await store.grantCredits(5, to: "anna", because: "a test", source: "gift") }
    for _ in 0..<2 { _ = try await store.revokeCredits(1, from: "anna", because: "a test", source: "revocation") }
    for payment in ["gift", "to come"] {
      _ = try await store.revokeCredits(1, from: "anna", because: "a test", source: "of \(payment)", payment: payment)
    }
    _ = try await store.grantCredits(5, to: "anna", because: "a test", source: "to come")
    _ = try await store.grantCredits(5, to: "returner", because: "a test", source: "of a deleted one")
    _ = try await store.deleteAccount("returner")
    _ = try await store.revokeCredits(5, from: "returner", because: "a test", source: "of a deleted one")
    _ = try await store.isKnown("anna")
    _ = try await store.revokeCredits(100, from: "anna", because: "a test", source: "owed", owes: true)
    _ = try await store.grantCredits(100, to: "anna", because: "a test")
    for _ in 0..<2 {
      _ = try await store.change("anna", AccountChange(tier: .premium, start: now), source: "change")
    }
    _ = try await store.creditBalance(of: "bert", registers: false)
    for tier in [Tier.premium, .free, .guest] { _ = try await store.set("anna", tier: tier, isUnlimited: false) }
    _ = try await store.allowance(
      of: "anna", for: .create, metering: Metering(credits: 1, limits: UsageLimit.standard))
    // What is spent of a refunded purchase is owed and paid with the next.
    let id = try await store.begin(fixture.acceptance("anna", metering: Metering(credits: 12, limits: [])))
    try await store.succeed(id, with: [3], credits: 12)
    for source in ["apple:1", "apple:2", "apple:unseen"] { _ = try await store.refund(.named(source), at: now) }
    _ = try await store.grantCredits(9, to: "anna", because: "a test")
    // Held beyond its time, it comes back as other credits.
    let held = try await store.begin(fixture.acceptance("anna", metering: Metering(credits: 9, limits: [])))
    fixture.clock.advance(by: Self.day)
    _ = try await store.cancel(held, account: "anna")
    _ = try await store.creditBalance(of: "anna")
    let first = try await store.creditHistory(of: "anna", limit: 2, cursor: nil)
    _ = try await store.creditHistory(of: "anna", limit: 100, cursor: first.nextCursor)
    _ = try await store.creditSums(of: "anna")
    _ = try await store.usage(of: "anna", against: UsageLimit.standard)
    // Every limit, reached.
    let limits = [UsageLimit.Window.minute, .hour, .day].map { UsageLimit($0, recipe: .edit, limit: 1) }
    for _ in 0..<2 {
      _ = try? await store.accept(fixture.acceptance("bert", recipe: .edit, metering: Metering(credits: 0, limits: limits)))
    }
    _ = try await store.auditLedger()
  }

  private func generations(_ store: Store) async throws -> [GenerationID] {
    var made: [GenerationID] = []
    let other = try await fixture.open()
    let theirs = try await other.begin(fixture.acceptance())
    _ = try await store.watch(theirs, wantsProgress: true)
    for one in try await store.watched([theirs]).values { _ = store.mustNoteWatching(of: one) }
    try await store.noteWatching(of: [theirs])
    try await store.noteInterest(in: theirs)
    try await other.noteInterest(in: theirs)
    let sent = try await store.begin(fixture.acceptance())
    _ = try await store.noteSending(sent)
    _ = try await store.cancel(sent, account: nil)
    _ = try await store.cancelUnlessWanted(theirs)
    _ = try await store.cancel(theirs, account: nil)
    await other.close()
    for number in 0..<4 as Range<UInt8> {
      let acceptance = fixture.acceptance(
        number == 3 ? "bert" : .owner, recipe: .edit, key: "key \(number)", parent: number == 0 ? nil : made[0])
      _ = try await store.accept(acceptance)
      _ = try await store.accept(acceptance)
      _ = try await store.start(acceptance.id)
      let note = ProgressNote(phase: .processing, message: "works", sequence: 2)
      _ = try await store.note(note, for: acceptance.id)
      let progress = GenerationProgress(
        generationId: acceptance.id, sequence: 2, state: .running, phase: .processing, message: "works", overall: 0.5,
        elapsedMs: 1)
      _ = try await store.note([acceptance.id: note], sharing: [progress], heard: [acceptance.id])
      _ = try await store.news()
      _ = try await store.openGenerations()
      _ = try await store.running(account: nil)
      _ = try await store.running(account: .owner)
      var files: [StagedArtifact] = []
      for part in 0..<4 as Range<UInt8> { files.append(try await store.stage([number, part], mimeType: "image/png")) }
      await store.discard(.staged(try await store.stage([number, 9], mimeType: "image/png")))
      await store.discard(store.unstored([number, 10], mimeType: "image/png"))
      _ = try await store.finish(
        Settlement(
          id: acceptance.id, state: .succeeded,
          files: [GenerationFile(source: .staged(files[0]), width: 1, height: 1)]
            + (number == 0 ? [.thumbnail(files[1])] : []),
          timings: Timings(totalMs: 5),
          inputs: [
            keeping("prep_\(number)", files[2], of: acceptance.id),
            keeping("ref_\(number)", files[3], of: acceptance.id, reference: 0),
          ],
          cacheKey: [UInt8](repeating: 3, count: 32), turns: [StoredTurn(index: 0, json: 1)]))
      made.append(acceptance.id)
      _ = try await store.generation(acceptance.id, account: .owner)
      _ = try await store.generation(idempotencyKey: "key \(number)", account: .owner)
      _ = try await store.lastKey(beginningWith: "key ", account: .owner)
      _ = try await store.generation(
        ofKey: "key \(number)", of: .owner, paramsHash: acceptance.paramsHash)
      fixture.clock.advance(by: 1_000)
    }
    _ = try await store.keepThumbnail(.thumbnail(try await store.stage([77], mimeType: "image/webp")), for: made[1])
    if let artifact = try await store.generation(made[0], account: nil)?.images.first?.artifact {
      _ = try await store.read(artifact)
      _ = try await store.link(to: artifact, forSeconds: 1)
    }
    _ = try await store.cachedResult(for: [UInt8](repeating: 3, count: 32), account: .owner)
    _ = try await store.hasDelivered([1])
    _ = try await store.regenerations(of: made[0])
    _ = try await store.turns(of: made[0])
    _ = try await store.templateUses()
    var templated = fixture.acceptance()
    templated.request["templateId"] = "bob"
    try await store.succeed(try await store.begin(templated), with: [5])
    return made
  }

  private func keeping(
    _ id: String, _ file: StagedArtifact, of generation: GenerationID? = nil, reference: Int? = nil
  ) -> PreparedKeeping {
    PreparedKeeping(
      id: PreparedID(rawValue: id), account: .owner, generation: generation, reference: reference, source: .staged(file),
      width: 1, height: 1, lifetimeMs: Self.day)
  }

  private func prepared(_ store: Store, _ made: [GenerationID]) async throws {
    _ = try await store.keepPrepared(keeping("prep_alone", try await store.stage([4], mimeType: "image/png")))
    _ = try await store.prepared("prep_alone", account: .owner)
    _ = try await store.preparedInput(of: made[0])
    _ = try await store.preparedInput(of: made[0], reference: 0)
    _ = try await store.nextExpiry()
  }

  private func history(_ store: Store, _ made: [GenerationID]) async throws {
    for account in [nil, AccountID.owner] {
      let since = fixture.clock.now.later(by: -Self.day)
      for wanted in [
        HistoryFilter(), HistoryFilter(recipe: .edit), HistoryFilter(state: .succeeded),
        HistoryFilter(recipe: .edit, state: .running), HistoryFilter(since: since, until: fixture.clock.now),
        HistoryFilter(search: "light"), HistoryFilter(parent: made[0]), HistoryFilter(onlyFavorites: true),
        HistoryFilter(parent: made[0], onlyFavorites: true), HistoryFilter(search: "light", parent: made[0]),
      ] {
        var filter = wanted
        filter.account = account
        let asked = filter
        let page = try await store.history(filter, limit: 1)
        let cursor = page.nextCursor ?? HistoryCursor(created: since.milliseconds, id: "x")
        _ = try await store.history(filter, limit: 1, cursor: cursor)
        _ = try await store.entries(filter, limit: 2, after: cursor)
        // As a long search goes, whatever the length of history.
        if filter.searches, filter.parent == nil {
          _ = try await store.read { try HistorySearch(filter: asked, session: $0).first(2) }
          _ = try await store.read { try HistorySearch(filter: asked, session: $0).keys(after: cursor, limit: 2) }
        }
      }
      let sessions = try await store.sessions(account: account, limit: 1)
      _ = try await store.sessions(
        account: account, limit: 1, after: sessions.nextCursor ?? HistoryCursor(created: 1, id: "x"))
      let session = try await store.session(made[0], account: account, limit: 1)
      _ = try await store.session(made[0], account: account, limit: 1, after: session.nextCursor)
      _ = try await store.statistics(account: account, days: nil)
      _ = try await store.statistics(account: account, days: 20_000...30_000)
    }
  }

  private func queue(_ store: Store) async throws {
    let backoff = Backoff(firstMs: 1, longestMs: 10)
    let ids = [try await store.begin(fixture.acceptance()), try await store.begin(fixture.acceptance("bert"))]
    for (number, id) in ids.enumerated() {
      let place = QueueEntry(
        provider: .gemini, deadline: fixture.clock.now.later(by: 1_000), attempts: 0, request: [:],
        inputs: [keeping("wait_\(number)", try await store.stage([8, UInt8(number)], mimeType: "image/png"))],
        message: "waits")
      _ = try await store.park(id, at: place, outage: backoff)
    }
    await store.discard(try await store.stage([8, 8], mimeType: "image/png"))
    _ = try await store.outages()
    fixture.clock.advance(by: 10)
    _ = try await store.claimProbe(of: .gemini, leaseMs: 5)
    try await store.putOffProbe(of: .gemini, backoff)
    try await store.coolDown(
      Cooldown(
        provider: .gemini, model: "a-model", setAt: fixture.clock.now, until: fixture.clock.now.later(by: 500),
        kind: .rateLimited, message: "too many"))
    _ = try await store.cooldowns(of: .gemini)
    _ = try await store.cooldowns()
    _ = try await store.refusals(of: .gemini, model: "m")
    _ = try await store.hasRefused(.gemini, model: "m")
    for account in [nil, AccountID.owner] {
      try await store.setPaused(true, account: account)
      _ = try await store.isPaused(account: account)
      _ = try await store.queueState()
      _ = try await store.waitingLines(of: account)
      try await store.setPaused(false, account: account)
    }
    try await store.endCooldown(of: .gemini, model: "a-model")
    try await store.endCooldowns(of: .gemini)
    try await store.endOutage(of: .gemini)
    _ = try await store.queuePosition(of: ids[0])
    _ = try await store.queuePositions()
    _ = try await store.queueEntry(of: ids[0])
    _ = try await store.claimNext(for: .gemini, includingUnclaimed: true)
    _ = try await store.release([ids[0]])
    _ = await store.isGone(ProcessID(rawValue: "proc_gone"))
    _ = await store.isAnyGone(of: [ProcessID(rawValue: "proc_gone")])
    _ = try await store.queueStateAndProcesses()
    fixture.clock.advance(by: 1_000)
    _ = try await store.expireWaiting()
    _ = try await store.durationSamples(ofLatest: 50)
    _ = try await store.cancel(ids[0], account: nil)
  }

  private func locations(_ store: Store) async throws {
    for _ in 0..<2 { try await store.keepLocationAnswer([], digest: "d", lifetimeMs: 10) }
    _ = try await store.locationAnswer("d")
    for _ in 0..<2 { _ = try await store.reserveGeocoder(intervalMs: 1_000) }
    fixture.clock.advance(by: 10)
    try await store.eraseExpiredLocationAnswers()
  }

  private func remarks(_ store: Store, _ made: [GenerationID]) async throws {
    _ = try await store.keepFeedback(rating: 5, text: "good", of: made[0], account: nil)
    _ = try await store.annotate(made[0], metadata: ["a": 1], isFavorite: true, account: nil)
  }

  private func upkeep(_ store: Store) async throws {
    _ = await store.status()
    _ = try await store.metrics()
    _ = try await store.clockDoubt()
    _ = try await store.check()
    _ = try await store.serverFindings()
    _ = try await store.backup(into: "\(fixture.temporary.path)/backup")
    // Enough that a stretch of it is prepared for searches, and the last one anew.
    for count in [1_400, 1_400] {
      try await fill(store, count)
      _ = try await store.indexForSearch()
    }
    _ = try await store.history(HistoryFilter(search: "light"), limit: 1)
    try await store.enforce(HistoryLimits(maximumAgeMs: Self.day * 365, maximumBytes: 5))
    let old = try await store.begin(fixture.acceptance("bert"))
    try await store.succeed(old, with: [6])
    _ = try await store.delete(.one(old, account: "bert"))
    try await store.write { [fixture] in try $0.clock.insertJump(seen: fixture.clock.now, system: fixture.clock.now) }
    // A clock that was far ahead when something was prepared.
    fixture.clock.advance(by: 400 * Self.day)
    _ = try await store.keepPrepared(keeping("prep_ahead", try await store.stage([44], mimeType: "image/png")))
    fixture.clock.advance(by: -400 * Self.day)
    try await store.eraseExpiredPrepared()
    _ = try await store.delete(.all(account: .owner))
    fixture.clock.advance(by: Self.day * 40)
    _ = try await store.confirmClock()
    try await store.eraseExpiredPrepared()
    try await store.tidy(keeping: HistoryLimits(maximumAgeMs: 1))
    _ = try await store.recoverAndSweep()
  }

  /// Generations that have ended, as quickly as may be.
  private func fill(_ store: Store, _ count: Int) async throws {
    let start = fixture.clock.now.milliseconds
    try await store.write { [fixture] session in
      for number in 0..<count {
        try session.run(
          """
          INSERT INTO generation (id, account, process, recipe, state, phase, message, sequence, created, finished,
            request, params_hash, is_private, is_detached, is_requeueable, prompt)
          VALUES (?, 'owner', 'o', 'create', 'failed', 'saving', '', 1, ?, 1, '{}', ?, 0, 0, 0, 'a lighthouse')
          """,
          ["gen_\(fixture.next())", start + Int64(number), String(repeating: "0", count: 64)])
      }
    }
    fixture.clock.advance(by: Int64(count))
  }
}
