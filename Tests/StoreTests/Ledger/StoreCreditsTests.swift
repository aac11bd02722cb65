import AtelierProtocol
import GRDB
import Testing

@testable import Store

@Suite("Credits in the store", .timeLimit(.minutes(5)))
struct StoreCreditsTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  private func metered(_ account: AccountID = "anna", credits: Int = 1, key: String? = nil) -> Acceptance {
    fixture.acceptance(account, key: key, metering: Metering(credits: credits, limits: []))
  }

  @Test("credits are held with the row, and captured with the image")
  func whole() async throws {
    let store = try await fixture.open()
    let accepted = try await store.accept(metered())
    #expect(accepted.row.credits == Credits(held: 1, balanceAfter: 0))
    #expect(try await store.creditBalance(of: "anna").held == 1)
    _ = try await store.start(accepted.row.id)
    let finished = try await store.succeed(accepted.row.id, with: [1, 2, 3], credits: 1).finished
    #expect(finished?.creditsCharged == 1)
    #expect(finished?.credits == Credits(held: 1, charged: 1, released: 0, balanceAfter: 0))
    #expect(try await store.generation(accepted.row.id, account: "anna")?.credits == finished?.credits)
    #expect(try await store.auditLedger() == [])
  }

  @Test("an account that is not welcomed has no credits, now and later, also under its name after a deletion")
  func unwelcome() async throws {
    let store = try await fixture.open()
    let record = try await store.change("anna", AccountChange(), welcomes: false).record
    #expect(record.balance.available == 0 && record.balance.tier == .guest)
    await #expect(throws: AtelierError.self) { try await store.accept(metered()) }
    // Who is known already keeps what was given.
    _ = try await store.creditBalance(of: "ben")
    #expect(try await store.change("ben", AccountChange(), welcomes: false).record.balance.available == 1)
    _ = try await store.deleteAccount("anna")
    _ = try await store.deleteAccount("ben")
    for account in ["anna", "ben"] as [AccountID] {
      #expect(try await store.creditBalance(of: account).available == 0)
    }
    // What is bought, and what is given once to whoever signs in, is given.
    _ = try await store.grantCredits(8, to: "anna", because: "card", source: "1")
    let signedIn = try await store.signIn(Identity(provider: "email", subject: "ada@example.org"), as: "anna")
    #expect(signedIn.outcome.granted == 4 && signedIn.record.balance.available == 12)
    #expect(try await store.auditLedger() == [])
  }

  @Test("credits come back whole when nothing is delivered", arguments: [GenerationState.failed, .cancelled, .interrupted])
  func back(state: GenerationState) async throws {
    let store = try await fixture.open()
    let id = try await store.begin(metered())
    let error: AtelierError? = state == .cancelled ? nil : AtelierError(.internal)
    let outcome = try await store.finish(Settlement(id: id, state: state, error: error))
    #expect(outcome.finished?.credits == Credits(held: 1, charged: 0, released: 1, balanceAfter: 1))
    #expect(try await store.creditBalance(of: "anna").available == 1)
    #expect(try await store.auditLedger() == [])
  }

  @Test("credits come back when another process cancels")
  func cancelled() async throws {
    let (store, other) = (try await fixture.open(), try await fixture.open())
    let id = try await store.begin(metered())
    guard case .cancelled(let row) = try await other.cancel(id, account: nil) else {
      Issue.record("it was not cancelled")
      return
    }
    #expect(row.credits == Credits(held: 1, charged: 0, released: 1, balanceAfter: 1))
    // The one that ran it is too late to charge.
    guard case .alreadyFinal = try await store.succeed(id, with: [1], credits: 1) else {
      Issue.record("it ended twice")
      return
    }
    #expect(try await store.creditBalance(of: "anna").available == 1)
    #expect(try await store.auditLedger() == [])
  }

  @Test("credits are refused in one piece: nothing is recorded of a request that cannot be paid")
  func refused() async throws {
    let store = try await fixture.open()
    let refused = await #expect(throws: AtelierError.self) { _ = try await store.accept(metered(credits: 2)) }
    #expect(refused?.kind == .insufficientCredits)
    #expect(refused?.details["required"] == 2 && refused?.details["available"] == 1)
    #expect(try await store.history(HistoryFilter(account: "anna"), limit: 10).entries.isEmpty)
    #expect(try await store.creditBalance(of: "anna").available == 1)
  }

  /// Everything that tells or takes credits, each of an account that nobody has looked at since its month ended.
  enum Use: String, CaseIterable {
    case accept, allowance, balance, account, history, revoke, purchase
  }

  @Test(
    "credits whose time is over are neither spent nor told, and the new month's are, whatever is done first",
    arguments: Use.allCases)
  func overdue(use: Use) async throws {
    let store = try await fixture.open()
    let (start, month) = (fixture.clock.now, Int64(31 * 86_400_000))
    // 5 credits a month and the guest's one; all of the second month come due, the first's are over.
    let outcome = try await store.record(
      Purchase(
        source: "apple:1", account: "anna", product: "p", kind: .subscription, credits: 5, quantity: 1,
        purchasedAt: start, expiresAt: start.adding(months: 2)))
    #expect(outcome.kind == .counted)
    for (available, isOver) in [(6, false), (1, true)] {
      fixture.clock.advance(by: month)
      _ = try await store.confirmClock()
      switch use {
      case .accept:
        let refused = await #expect(throws: AtelierError.self) {
          _ = try await store.accept(metered(credits: available + 1))
        }
        #expect(refused?.details["available"]?.int64 == Int64(available))
        let row = try await store.accept(metered(credits: available)).row
        #expect(row.credits == Credits(held: available, balanceAfter: 0))
        _ = try await store.cancel(row.id, account: nil)
      case .allowance:
        for (wanted, isGranted) in [(available, true), (available + 1, false)] {
          let metering = Metering(credits: wanted, limits: [])
          let allowance = try await store.allowance(of: "anna", for: .create, metering: metering)
          #expect((allowance.refusal == nil) == isGranted && allowance.balance.available == available)
        }
      case .balance: #expect(try await store.creditBalance(of: "anna").available == available)
      case .account:
        let record = try await store.account("anna")
        #expect(record.balance.available == available && record.balance.tier == (isOver ? .guest : .premium))
      case .history:
        let entries = try await store.creditHistory(of: "anna", limit: 9, cursor: nil).entries
        #expect(entries.count { $0.kind == .expiry } == (isOver ? 2 : 1))
        #expect(entries.count { $0.kind == .grant } == 3)
        #expect(entries.first?.balanceAfter == available)
      case .revoke:
        await #expect(throws: AtelierError.self) {
          _ = try await store.revokeCredits(available + 1, from: "anna", because: "test")
        }
      case .purchase:
        let again = try await store.record(
          Purchase(
            source: "apple:1", account: "anna", product: "p", kind: .subscription, credits: 5, quantity: 1,
            purchasedAt: start, expiresAt: start.adding(months: 2)))
        guard case .countedBefore(let balance) = again else {
          Issue.record("it was counted twice")
          return
        }
        #expect(balance.available == available)
      }
      #expect(try await store.creditBalance(of: "anna").available == available)
    }
    #expect(try await store.auditLedger() == [])
  }

  @Test("credits are held once for an idempotency key, from however many processes at once (LEDGER rule 4)")
  func idempotent() async throws {
    let stores = try await (0..<8).asyncMap { _ in try await fixture.open() }
    let outcomes = try await withThrowingTaskGroup(of: AcceptOutcome.self) { group in
      for store in stores { group.addTask { try await store.accept(metered(key: "k")) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.count { if case .accepted = $0 { true } else { false } } == 1)
    #expect(Set(outcomes.map(\.row.id)).count == 1)
    #expect(try await stores[0].creditBalance(of: "anna").held == 1)
    #expect(try await stores[0].auditLedger() == [])
  }

  @Test("credits go to one of many that race for the last one")
  func race() async throws {
    let stores = try await (0..<8).asyncMap { _ in try await fixture.open() }
    for round in 0..<20 {
      let account = AccountID(rawValue: "guest \(round)")
      let winners = await withTaskGroup(of: Bool.self) { group in
        for store in stores {
          group.addTask {
            do {
              _ = try await store.accept(metered(account))
              return true
            } catch {
              #expect((error as? AtelierError)?.kind == .insufficientCredits)
              return false
            }
          }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(winners == 1)
    }
    #expect(try await stores[0].auditLedger() == [])
  }

  @Test("credits can be looked at while another process writes, and while the clock is behind", .onlySQLite)
  func looks() async throws {
    let store = try await fixture.open()
    let id = try await store.begin(metered())
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: fixture.directory.database, configuration: configuration)
    try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    fixture.clock.advance(by: -3_600_000)
    #expect(try await store.creditSums(of: "anna") == (0, 1))
    #expect(try await store.creditBalance(of: "anna").held == 1)
    #expect(try await store.account("anna").balance.available == 0)
    #expect(try await store.usage(of: "anna", against: UsageLimit.standard).first?.used == 1)
    #expect(try await store.creditHistory(of: "anna", limit: 5, cursor: nil).entries.map(\.kind) == [.grant])
    let allowance = try await store.allowance(
      of: "anna", for: .create, metering: Metering(credits: 1, limits: []))
    #expect(allowance.refusal?.kind == .insufficientCredits)
    try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    _ = try await store.finish(Settlement(id: id, state: .cancelled))
    #expect(try await store.auditLedger() == [])
  }

  @Test("credits do not matter to who is not metered")
  func unmetered() async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance())
    let finished = try await store.succeed(id, with: [1], credits: 1).finished
    #expect(finished?.credits == nil && finished?.creditsCharged == 0)
    #expect(try await store.auditLedger() == [])
  }

  @Test("credits stay in the ledger when the generation is deleted from history")
  func deleted() async throws {
    let store = try await fixture.open()
    let id = try await store.begin(metered())
    try await store.succeed(id, with: [1], credits: 1)
    _ = try await store.delete(.one(id, account: "anna"))
    #expect(try await store.auditLedger() == [])
    let page = try await store.creditHistory(of: "anna", limit: 10, cursor: nil)
    #expect(page.totalUsed == 1)
    #expect(page.entries.map(\.kind) == [.use, .grant])
    #expect(page.entries.first?.generationId == id && page.entries.first?.prompt == nil)
  }

  @Test("credits are told page by page, newest first, one entry for what a generation took")
  func history() async throws {
    let store = try await fixture.open()
    _ = try await store.grantCredits(30, to: "anna", because: "a gift", source: "1")
    for _ in 0..<7 {
      fixture.clock.advance(by: 1_000)
      let id = try await store.begin(metered(credits: 2))
      try await store.succeed(id, with: [UInt8(fixture.next() & 255)], credits: 2)
    }
    var entries: [CreditsHistory.Entry] = []
    var cursor: String?
    repeat {
      try #require(entries.count < 100, "the pages do not end")
      let page = try await store.creditHistory(of: "anna", limit: 3, cursor: cursor)
      #expect(page.entries.count <= 3)
      #expect(page.totalUsed == 14)
      entries += page.entries
      cursor = page.nextCursor
    } while cursor != nil
    try #require(entries.count == 9)
    #expect(entries.map(\.amount) == [-2, -2, -2, -2, -2, -2, -2, 30, 1])
    #expect(entries.map(\.balanceAfter) == [17, 19, 21, 23, 25, 27, 29, 31, 1])
    // The first took the guest's credit and one of the gift's.
    #expect(entries[6].bucket == nil && entries[5].bucket == .operator)
    #expect(entries[7].reason == "a gift")
    #expect(entries[0].prompt == "a lighthouse" && entries[0].recipe == .create)
    await #expect(throws: AtelierError.self) {
      _ = try await store.creditHistory(of: "anna", limit: 3, cursor: "x")
    }
  }

  @Test("credits are told with ids and cursors that say nothing of other accounts")
  func historyOfOne() async throws {
    let store = try await fixture.open()
    func entries(_ account: AccountID) async throws -> [CreditsHistory.Entry] {
      var (entries, cursor) = ([CreditsHistory.Entry](), String?.none)
      repeat {
        let page = try await store.creditHistory(of: account, limit: 2, cursor: cursor)
        (entries, cursor) = (entries + page.entries, page.nextCursor)
        #expect(cursor == nil || cursor == page.entries.last?.id)
      } while cursor != nil && entries.count < 100
      return entries
    }
    var ids: [[String]] = []
    for (account, others) in [("anna", 0), ("bert", 7)] as [(AccountID, Int)] {
      for number in 0..<4 {
        for other in 0..<others {
          _ = try await store.grantCredits(1, to: AccountID(rawValue: "other \(other)"), because: "a gift")
        }
        // One after the other, so that they are spent in the same order.
        fixture.clock.advance(by: 1)
        _ = try await store.grantCredits(2, to: account, because: "a gift", source: "\(account) \(number)")
        let id = try await store.begin(metered(account, credits: 2))
        try await store.succeed(id, with: [UInt8(fixture.next() & 255)], credits: 2)
      }
      ids.append(try await entries(account).map(\.id))
      #expect(Set(ids.last ?? []).count == 9)
    }
    #expect(ids[0] == ids[1])
  }

  @Test("credits that a dead process held come back, and what it had queued keeps its hold")
  func recovered() async throws {
    let queued = fixture.acceptance(
      "bert", isRequeueable: true, metering: Metering(credits: 1, limits: []))
    let running = try await fixture.dying { dead in
      let running = try await dead.begin(metered())
      _ = try await dead.accept(queued)
      return running
    }
    let store = try await fixture.open()
    let recovery = try await store.recoverAndSweep()
    #expect(recovery.interrupted.map(\.id) == [running] && recovery.requeued == 1)
    #expect(recovery.interrupted.first?.credits?.released == 1)
    #expect(try await store.creditBalance(of: "anna").available == 1)
    #expect(try await store.creditBalance(of: "bert").held == 1)
    #expect(try await store.auditLedger() == [])
  }
}

extension Sequence {
  fileprivate func asyncMap<Value>(_ work: (Element) async throws -> Value) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await work(element)) }
    return values
  }
}
