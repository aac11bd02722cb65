import AtelierProtocol
import Support
import Synchronization
import Testing

@testable import Store

@Suite("A clock that jumps")
struct ClockTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  private static let day: Int64 = 86_400_000
  private static let hour: Int64 = 3_600_000

  /// Everything that ends by the clock: made to last an hour, and asked for whether it is over.
  enum Lasting: String, CaseIterable {
    case credits, subscription, month, heldCredits, history, preparedImage, preparedName, waiting

    func begin(in store: Store, _ fixture: StoreFixture) async throws {
      let now = fixture.clock.now
      switch self {
      case .credits, .subscription: try await subscribe(in: store, from: now, for: hour)
      case .month:
        // The next month begins in an hour.
        try await subscribe(
          in: store, from: now.later(by: hour).adding(months: -1), for: 400 * day)
      case .heldCredits:
        try await subscribe(in: store, from: now, for: hour)
        _ = try await store.accept(
          fixture.acceptance("anna", prompt: "held", metering: Metering(credits: 3, limits: [])))
      case .history: try await store.succeed(try await store.begin(fixture.acceptance()), with: [1])
      case .preparedImage, .preparedName:
        _ = try await store.keepPrepared(
          PreparedKeeping(
            id: "prep_1", account: "anna", artifact: try await store.stage([7], mimeType: "image/png"), width: 1,
            height: 1, lifetimeMs: hour))
      case .waiting:
        let place = QueueEntry(
          provider: .gemini, deadline: now.later(by: hour), attempts: 0, request: [:], inputs: [], message: "waits")
        _ = try await store.park(try await store.begin(fixture.acceptance()), at: place, outage: nil)
      }
    }

    private var hour: Int64 { ClockTests.hour }
    private var day: Int64 { ClockTests.day }

    private func subscribe(in store: Store, from starts: Timestamp, for length: Int64) async throws {
      _ = try await store.record(
        Purchase(
          source: "apple:1", account: "anna", product: "p", kind: .subscription, credits: 3, quantity: 1,
          purchasedAt: starts, expiresAt: starts.later(by: length)))
    }

    func isOver(in store: Store) async throws -> Bool {
      try await store.tidy(keeping: HistoryLimits(maximumAgeMs: hour))
      switch self {
      case .credits: return try await store.creditBalance(of: "anna").available == 1
      case .subscription: return try await store.account("anna").balance.tier == .guest
      case .month: return try await store.creditHistory(of: "anna", limit: 9, cursor: nil).entries.count > 2
      case .heldCredits:
        // What comes back after its time comes back as credits of their own.
        for row in try await store.running(account: "anna") { _ = try await store.cancel(row.id, account: nil) }
        return try await store.creditBalance(of: "anna").buckets.contains { $0.kind == .makegood }
      case .history: return try await store.history(HistoryFilter(account: .owner), limit: 1).entries.isEmpty
      case .preparedImage:
        return try await store.number("SELECT count(*) FROM prepared WHERE artifact IS NOT NULL") == 0
      case .preparedName:
        if case .found = try await store.prepared("prep_1", account: nil) { return false }
        return true
      case .waiting:
        _ = try await store.expireWaiting()
        return try await store.running(account: .owner).isEmpty
      }
    }
  }

  @Test("time that has only passed ends what is over", arguments: Lasting.allCases)
  func passes(lasting: Lasting) async throws {
    let store = try await fixture.open()
    try await lasting.begin(in: store, fixture)
    if lasting != .heldCredits { #expect(try await !lasting.isOver(in: store)) }
    fixture.clock.advance(by: 2 * Self.day)
    #expect(try await lasting.isOver(in: store))
    #expect(try await store.clockDoubt() == nil)
  }

  @Test(
    "a clock that jumps deletes and ends nothing, until it is confirmed", arguments: Lasting.allCases,
    [2 * day + 1, 400 * day, .max / 2] as [Int64])
  func aheadConfirmed(lasting: Lasting, jump: Int64) async throws {
    let store = try await fixture.open()
    try await lasting.begin(in: store, fixture)
    fixture.clock.advance(by: jump)
    // Others write meanwhile, by a store of their own: that is no reason to believe it.
    let other = try await fixture.open()
    _ = try await other.begin(fixture.acceptance("bert"))
    if jump < .max / 2 { _ = try await other.grantCredits(1, to: "bert", because: "a test") }
    for each in [store, other] {
      if lasting != .heldCredits { #expect(try await !lasting.isOver(in: each)) }
      let doubt = try #require(await each.status().clockDoubt)
      #expect(doubt.isAhead && doubt.sentence.contains("atelier doctor --confirm-clock"))
      #expect(try await each.nextExpiry() == nil, "nobody looks again and again for what is not erased")
    }
    guard jump < .max / 2 else { return }
    _ = try await store.confirmClock()
    #expect(try await lasting.isOver(in: store))
    #expect(await store.status().clockDoubt == nil)
    #expect(try await store.auditLedger() == [])
  }

  @Test("a clock that jumps has done no harm when it is put right", arguments: Lasting.allCases)
  func aheadAndBack(lasting: Lasting) async throws {
    let store = try await fixture.open()
    try await lasting.begin(in: store, fixture)
    fixture.clock.advance(by: 400 * Self.day)
    if lasting != .heldCredits { #expect(try await !lasting.isOver(in: store)) }
    _ = try await store.grantCredits(1, to: "bert", because: "a test")
    fixture.clock.advance(by: -400 * Self.day + 1)
    #expect(try await !lasting.isOver(in: store))
    #expect(await store.status().clockDoubt == nil)
    if lasting == .heldCredits { return }
    fixture.clock.advance(by: 2 * Self.day)
    #expect(try await lasting.isOver(in: store))
    #expect(try await store.auditLedger() == [])
  }

  @Test("a clock that jumps is taken for right when it has gone on for a day, not when it only shows a later one")
  func trial() async throws {
    let store = try await fixture.open()
    _ = try await store.begin(fixture.acceptance())
    fixture.clock.advance(by: 400 * Self.day)
    for step in [Self.hour, 23 * Self.hour - 1, 3 * Self.day, 23 * Self.hour, -Self.hour, 24 * Self.hour - 1] {
      try await store.tidy()
      #expect(try await store.clockDoubt() != nil)
      fixture.clock.advance(by: step)
    }
    try await store.tidy()
    #expect(try await store.clockDoubt() != nil, "one millisecond is missing")
    fixture.clock.advance(by: 61_000)
    try await store.tidy()
    #expect(try await store.clockDoubt() == nil)
  }

  @Test("a clock that jumps is logged once, by whoever notices it first")
  func log() async throws {
    let lines = Mutex<[String]>([])
    let log: StoreSurroundings.Log = { isFault, line in if isFault { lines.withLock { $0.append(line) } } }
    var surroundings = fixture.surroundings
    surroundings.log = log
    var stores: [Store] = []
    for _ in 0..<3 { stores.append(try await fixture.open(with: surroundings)) }
    _ = try await stores[0].begin(fixture.acceptance())
    fixture.clock.advance(by: 3 * Self.day)
    for store in stores {
      for _ in 0..<3 { _ = try await store.begin(fixture.acceptance()) }
      fixture.clock.advance(by: 61_000)
    }
    #expect(lines.withLock { $0 }.count == 1)
  }

  @Test(
    "a clock that jumps locks no account, whatever was asked for or given while it was wrong",
    arguments: [3, 400] as [Int64])
  func limits(days: Int64) async throws {
    let store = try await fixture.open()
    let standard = Metering(credits: 0, limits: UsageLimit.standard)
    func ask(_ account: AccountID, _ recipe: Recipe = .headshot) async throws {
      let id = try await store.begin(fixture.acceptance(account, recipe: recipe, metering: standard))
      _ = try await store.finish(Settlement(id: id, state: .failed, error: AtelierError(.internal)))
    }
    for _ in 0..<3 { try await ask("anna") }
    fixture.clock.advance(by: days * Self.day)
    // To another account: credits that were given lift the daily limit.
    _ = try await store.grantCredits(1, to: "bert", because: "a test")
    for number in 0..<10 {
      if number == 5 { fixture.clock.advance(by: 60_000) }
      try await ask("anna")
    }
    await #expect(throws: AtelierError.self) { try await ask("anna") }
    fixture.clock.advance(by: -days * Self.day)
    // A minute later: three of ten a day are used, and the minute is over.
    for _ in 0..<5 { try await ask("anna") }
    let reached = try await store.usage(of: "anna", against: UsageLimit.standard).filter(\.isReached)
    #expect(reached.map(\.limit.window) == [.minute])
    #expect(reached.first?.freeAt == fixture.clock.now.later(by: 60_000))
    fixture.clock.advance(by: 60_000)
    try await ask("anna")
    try await ask("anna")
    let day = try await store.usage(of: "anna", against: UsageLimit.standard).first {
      $0.limit.window == .day && $0.isReached
    }
    #expect(day?.used == 10 && day?.freeAt == fixture.clock.now.endOfDay)
  }

  @Test(
    "a clock that jumps makes nobody wait for a provider longer than the pause it stands for",
    arguments: [60_000, 3 * day, 400 * day] as [Int64])
  func probes(jump: Int64) async throws {
    let store = try await fixture.open()
    let backoff = Backoff(firstMs: 10_000, longestMs: 10_000)
    func note() async throws { try await store.write { try store.noteOutage(of: .gemini, backoff, in: $0) } }
    fixture.clock.advance(by: jump)
    try await note()
    #expect(try await !store.claimProbe(of: .gemini, leaseMs: 5_000))
    fixture.clock.advance(by: -jump)
    let outage = try #require(try await store.outages()[.gemini])
    #expect(outage.nextProbe <= fixture.clock.now && outage.since <= fixture.clock.now)
    #expect(try await store.claimProbe(of: .gemini, leaseMs: 5_000))
    #expect(try await !store.claimProbe(of: .gemini, leaseMs: 5_000), "one at a time")
    fixture.clock.advance(by: 5_000)
    #expect(try await store.claimProbe(of: .gemini, leaseMs: 5_000))
    fixture.clock.advance(by: jump)
    try await store.putOffProbe(of: .gemini, backoff)
    fixture.clock.advance(by: -jump)
    #expect(try await store.claimProbe(of: .gemini, leaseMs: 5_000))
    // An outage that ended at a time that has not come is no reason to look rarely.
    fixture.clock.advance(by: jump)
    try await store.endOutage(of: .gemini)
    fixture.clock.advance(by: -jump)
    try await note()
    let failures = try await store.number("SELECT failures FROM provider_outage")
    #expect(failures == (jump < 600_000 ? 3 : 1))
  }

  @Test("a clock that jumps keeps no picture for longer than it was to be kept")
  func redated() async throws {
    let store = try await fixture.open()
    try await Lasting.preparedName.begin(in: store, fixture)
    fixture.clock.advance(by: 400 * Self.day)
    for number in 2...3 {
      _ = try await store.keepPrepared(
        PreparedKeeping(
          id: PreparedID(rawValue: "prep_\(number)"), account: "anna",
          artifact: try await store.stage([UInt8(number)], mimeType: "image/png"), width: 1, height: 1,
          lifetimeMs: number == 2 ? Self.hour : .max))
    }
    fixture.clock.advance(by: -400 * Self.day)
    try await store.eraseExpiredPrepared()
    let kept = try #require(try await store.nextExpiry())
    #expect(kept == fixture.clock.now.later(by: Self.hour))
    fixture.clock.advance(by: Self.hour)
    #expect(try await store.eraseExpiredPrepared() == 2)
    // A clock that was put back too far is no reason to touch anything.
    fixture.clock.advance(by: -400 * Self.day)
    try await store.eraseExpiredPrepared()
    #expect(await store.status().clockDoubt?.isAhead == false)
    let created = try await store.number("SELECT created FROM prepared WHERE artifact IS NOT NULL")
    #expect(created > fixture.clock.now.milliseconds)
  }

  @Test("a time of the future that was confirmed is put right by confirming the clock again")
  func confirmedAhead() async throws {
    let store = try await fixture.open()
    _ = try await store.grantCredits(1, to: "anna", because: "a test")
    fixture.clock.advance(by: 400 * Self.day)
    _ = try await store.confirmClock()
    _ = try await store.grantCredits(1, to: "anna", because: "a test")
    fixture.clock.advance(by: -400 * Self.day)
    let doubt = try #require(await store.status().clockDoubt)
    #expect(!doubt.isAhead && doubt.sentence.contains("atelier doctor --confirm-clock"))
    _ = try await store.confirmClock()
    #expect(await store.status().clockDoubt == nil)
    try await Lasting.credits.begin(in: store, fixture)
    fixture.clock.advance(by: Self.day)
    #expect(try await store.creditBalance(of: "anna").available == 3)
    #expect(try await store.account("anna").balance.tier == .guest)
  }
}
