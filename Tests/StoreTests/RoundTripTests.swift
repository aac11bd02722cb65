import AtelierProtocol
import Testing

@testable import Store

/// What acceptance and end cost where the database is on another machine, and each answer that is waited for takes half a
/// millisecond under the write lock.
@Suite("The number of round trips")
struct RoundTripTests {
  let fixture: StoreFixture
  let counter = RoundTripCounter()
  init() throws { fixture = try StoreFixture() }

  private static let day: Int64 = 86_400_000
  private static let metering = Metering(credits: 1, limits: UsageLimit.standard.filter { $0.window != .concurrent })

  private func open() async throws -> Store {
    let store = try await fixture.open()
    // The time is noted once in a while, which is not counted here.
    try await store.write { (_: any SQLSession) in }
    counter.attach(to: store)
    return store
  }

  private func request(_ account: AccountID = "anna", key: String? = nil, credits: Int = 1) -> Acceptance {
    var metering = Self.metering
    metering.credits = credits
    return fixture.acceptance(account, key: key, metering: metering)
  }

  private func keeping(_ id: String, _ source: ArtifactSource) -> PreparedKeeping {
    PreparedKeeping(
      id: PreparedID(rawValue: id), account: "anna", source: source, width: 1, height: 1, lifetimeMs: Self.day)
  }

  /// - Returns: what the only transaction of `work` costs.
  private func cost(_ work: () async throws -> Void) async throws -> RoundTripCounter.Transaction {
    _ = counter.take()
    try await work()
    let transactions = counter.take()
    try #require(transactions.count == 1)
    return transactions[0]
  }

  private func buy(_ source: String, _ kind: CreditProduct.Kind, for store: Store, months: Int = 3) async throws {
    let now = fixture.clock.now
    _ = try await store.record(
      Purchase(
        source: source, account: "anna", product: "p", kind: kind, credits: 20, quantity: 1, purchasedAt: now,
        expiresAt: kind == .bundle ? nil : now.adding(months: months)))
  }

  /// In which state an account makes a request.
  enum Situation: CaseIterable {
    case new, known, keyed, photographed, free, subscribed, refused, repeated, triedAgain, overdue
  }

  @Test("an acceptance needs at most three, whatever is known of its account", arguments: Situation.allCases)
  func acceptance(situation: Situation) async throws {
    let store = try await open()
    if situation != .new { try await buy("apple:1", .bundle, for: store) }
    var asked = request(key: "key")
    let clock = fixture.clock
    switch situation {
    case .new, .known: asked = request()
    case .keyed: break
    case .photographed:
      asked.inputs = [
        keeping("one", .staged(try await store.stage([1], mimeType: "image/png"))),
        keeping("two", .staged(try await store.stage([2], mimeType: "image/png"))),
      ]
    case .free: asked = request(credits: 0)
    case .subscribed: try await buy("apple:2", .subscription, for: store)
    case .refused: asked = request(credits: 1_000)
    case .repeated: _ = try await store.accept(request(key: "key"))
    case .triedAgain:
      let first = request(key: "key")
      _ = try await store.accept(first)
      _ = try await store.finish(Settlement(id: first.id, state: .interrupted))
    case .overdue:
      try await buy("apple:2", .subscription, for: store, months: 1)
      clock.advance(by: 32 * Self.day)
      _ = try await store.confirmClock()
    }
    let request = asked
    let cost = try await cost {
      if situation == .refused {
        await #expect(throws: AtelierError.self) { _ = try await store.accept(request) }
      } else {
        let outcome = try await store.accept(request)
        #expect((outcome == .existing(outcome.row)) == (situation == .repeated))
      }
    }
    #expect(cost.roundTrips <= 3, "\(cost.reasons)")
    #expect(try await store.auditLedger() == [])
  }

  @Test("an acceptance with which a new month of a subscription comes due needs six")
  func month() async throws {
    let store = try await open()
    try await buy("apple:2", .subscription, for: store)
    fixture.clock.advance(by: 32 * Self.day)
    _ = try await store.confirmClock()
    let request = request(credits: 20)
    let cost = try await cost { _ = try await store.accept(request) }
    #expect(cost.roundTrips <= 6, "\(cost.reasons)")
    #expect(try await store.auditLedger() == [])
  }

  /// How a generation ends.
  enum End: CaseIterable {
    case delivered, partly, free, failed, cached, photographed, refunded, expired, given, unmetered
  }

  @Test("an end needs at most two, whatever becomes of what is held", arguments: End.allCases)
  func end(end: End) async throws {
    let store = try await open()
    switch end {
    case .expired: try await buy("apple:1", .subscription, for: store, months: 1)
    case .given:
      try await buy("apple:1", .bundle, for: store)
      _ = try await store.revokeCredits(21, from: "anna", because: "a test", source: "r", owes: true)
      _ = try await store.grantCredits(40, to: "anna", because: "a test", source: "gift")
    default: try await buy("apple:1", .bundle, for: store)
    }
    var asked = request(credits: 5)
    if end == .unmetered { asked = fixture.acceptance() }
    asked.begins = true
    let row = try await store.accept(asked).row
    if end == .refunded { _ = try await store.refund(.named("apple:1"), at: fixture.clock.now) }
    if end == .expired {
      fixture.clock.advance(by: 40 * Self.day)
      _ = try await store.confirmClock()
    }
    var files: [GenerationFile] = []
    if end != .failed {
      for number in 0..<4 as Range<UInt8> {
        files.append(
          GenerationFile(
            index: Int(number), source: .staged(try await store.stage([number], mimeType: "image/png")), width: 1,
            height: 1, credits: end == .free ? 0 : 1))
      }
    }
    var settlement = Settlement(
      id: row.id, state: end == .failed ? .failed : end == .partly ? .partial : .succeeded, files: files,
      isCached: end == .cached, cacheKey: [UInt8](repeating: 3, count: 32), turns: [StoredTurn(index: 0, json: 1)])
    if end == .photographed {
      settlement.inputs = [
        keeping("one", .staged(try await store.stage([11], mimeType: "image/png"))),
        keeping("two", .staged(try await store.stage([12], mimeType: "image/png"))),
      ]
    }
    let written = settlement
    var outcome: FinishOutcome?
    let cost = try await cost { outcome = try await store.finish(written, of: row) }
    #expect(cost.roundTrips <= 2, "\(cost.reasons)")
    let stored = try await store.generation(row.id, account: nil)
    #expect(outcome?.finished == stored && stored?.state == settlement.state)
    #expect(try await store.auditLedger() == [])
  }

  @Test("each write between acceptance and end, and the thumbnail after it, needs at most two")
  func between() async throws {
    let store = try await open()
    let row = try await store.accept(fixture.acceptance()).row
    let note = ProgressNote(phase: .processing, message: "", fraction: nil, sequence: 7)
    let thumbnail = GenerationFile(
      .thumbnail, source: .staged(try await store.stage([9], mimeType: "image/png")), width: 1, height: 1)
    let writes: [(String, @Sendable () async throws -> Bool)] = [
      ("start", { try await store.start(row.id) == .goOn }),
      ("sending", { try await store.noteSending(row.id) == .goOn }),
      ("note", { try await store.note(note, for: row.id) == .goOn }),
      ("notes", { try await store.note([row.id: note, "gone": note]) == ["gone"] }),
      ("watching", { try await store.noteWatching(of: [row.id]) == () }),
      ("thumbnail", { try await store.keepThumbnail(thumbnail, for: row.id) }),
    ]
    for (name, write) in writes {
      var isRight = false
      let cost = try await cost { isRight = try await write() }
      #expect(isRight && cost.roundTrips <= 2, "\(name): \(cost.reasons)")
    }
  }

  @Test("several ends that are written together need two between them")
  func together() async throws {
    let store = try await open()
    try await buy("apple:1", .bundle, for: store)
    var rows: [GenerationRow] = []
    for _ in 0..<5 { rows.append(try await store.accept(request(credits: 3)).row) }
    let settlements = rows.map { (Settlement(id: $0.id, state: .failed), Optional($0)) }
    var outcomes: [FinishOutcome] = []
    let cost = try await cost { outcomes = try await store.finish(settlements) }
    #expect(cost.roundTrips == 2, "\(cost.reasons)")
    for row in rows {
      let stored = try await store.generation(row.id, account: nil)
      #expect(stored?.state == .failed && outcomes.contains { $0.finished == stored })
    }
    #expect(try await store.creditBalance(of: "anna").available == 21)
    #expect(try await store.auditLedger() == [])
  }

  @Test("a generation of which two ends are written together keeps the first")
  func twice() async throws {
    let store = try await open()
    let row = try await store.accept(request()).row
    let outcomes = try await store.finish([
      (Settlement(id: row.id, state: .failed), row), (Settlement(id: row.id, state: .cancelled), row),
    ])
    #expect(outcomes.first?.finished?.state == .failed)
    #expect(try await store.generation(row.id, account: nil).map { outcomes.last == .alreadyFinal($0) } == true)
    #expect(try await store.auditLedger() == [])
  }

  @Test("a request that is refused runs no other change of its transaction again")
  func refusedTogether() async throws {
    let store = try await open()
    _ = try await store.creditBalance(of: "anna")
    let commits = try store.watchCommits()
    _ = counter.take()
    let (good, bad) = (request(), request(credits: 50))
    let results = try await store.together([good, bad].map { asked in { try await store.accept(asked) } })
    #expect(results[0].value != nil && (results[1].error as? AtelierError)?.kind == .insufficientCredits)
    #expect(counter.take().count == 2)
    if !TestDatabase.isUsed { #expect(commits.commits == 1) }
  }
}
