import AtelierProtocol
import Testing

@testable import Store

@Suite("The ledger")
struct LedgerTests {
  let fixture: LedgerFixture
  init() throws { fixture = try LedgerFixture() }

  private let day: Int64 = 86_400_000
  private let anna: AccountID = "anna"

  private func available(_ kind: CreditKind) throws -> Int {
    try fixture.balance(of: anna).buckets.filter { $0.kind == kind }.reduce(0) { $0 + $1.available }
  }

  private func buy(
    _ kind: CreditProduct.Kind, _ credits: Int, source: String, days: Int64? = nil, product: ProductID = "p"
  ) throws {
    let now = Timestamp(milliseconds: fixture.system)
    let purchase = Purchase(
      source: source, account: anna, product: product, kind: kind, credits: credits, quantity: 1, purchasedAt: now,
      expiresAt: days.map { Timestamp(milliseconds: fixture.system + $0 * day) })
    let outcome = try fixture.write { try $0.record(purchase) }
    #expect(outcome.kind == .counted)
  }

  private func hold(_ amount: Int, _ generation: GenerationID = "gen_1") throws {
    try fixture.begin(generation, of: anna)
    try fixture.write(of: anna) { try $0.hold(amount, for: generation, of: anna) }
  }

  private func end(_ generation: GenerationID = "gen_1", capturing captured: Int) throws {
    try fixture.write { ledger in
      let taken = try ledger.endHold(for: generation, capturing: captured, because: "test")
      try fixture.end(generation, charged: taken ?? 0, in: ledger.session)
    }
    #expect(try fixture.findings() == [])
  }

  @Test("the ledger gives a guest one credit, a new identity four, and neither twice")
  func tiers() throws {
    #expect(try fixture.balance(of: anna).available == 1)
    #expect(try fixture.balance(of: anna).tier == .guest)
    let identity = Identity(provider: "apple", subject: "001")
    let first = try fixture.write { try $0.signIn(identity, as: anna) }
    #expect(first.isNew && first.granted == 4 && first.account == anna)
    // What the guest had left stays.
    #expect(try fixture.balance(of: anna).available == 5)
    #expect(try fixture.balance(of: anna).tier == .free)
    // The same person as another guest is who they were, and gets nothing more.
    let again = try fixture.write { try $0.signIn(identity, as: "guest 2") }
    #expect(!again.isNew && again.granted == 0 && again.account == anna)
    // A second identity of the same account neither.
    let other = try fixture.write { try $0.signIn(Identity(provider: "google", subject: "001"), as: anna) }
    #expect(other.isNew && other.granted == 0)
    #expect(try fixture.balance(of: anna).available == 5)
    #expect(try fixture.findings() == [])
  }

  @Test("the ledger keeps nothing of who somebody is elsewhere")
  func identity() throws {
    try fixture.write { _ = try $0.signIn(Identity(provider: "email", subject: "anna@example.org"), as: anna) }
    let text = try fixture.tables.read { session in
      try session.values("SELECT identity || provider || account FROM account_identity", as: String.self).joined()
    }
    #expect(!text.contains("example"))
  }

  @Test("the ledger spends what is lost soonest first, then what was given, then what was bought (LEDGER rule 1)")
  func order() throws {
    _ = try fixture.balance(of: anna)
    try buy(.bundle, 8, source: "apple:1")
    try buy(.subscription, 5, source: "apple:2", days: 30)
    // A larger plan: three more.
    try buy(.subscription, 8, source: "apple:3", days: 20, product: "large")
    // 1 of the guest, 8 bought, 5 until in 30 days, 3 until in 20.
    try hold(4)
    #expect(try available(.period) == 4)
    try hold(5, "gen_2")
    #expect(try (available(.period), available(.guest), available(.bundle)) == (0, 0, 8))
    try hold(8, "gen_3")
    #expect(try fixture.balance(of: anna).available == 0)
    #expect(throws: LedgerRefusal.self) { try hold(1, "gen_4") }
    try fixture.tables.write { try fixture.end("gen_4", charged: 0, in: $0) }
    try end(capturing: 2)
    #expect(try available(.period) == 2)
    try end("gen_2", capturing: 0)
    try end("gen_3", capturing: 8)
    #expect(try fixture.balance(of: anna).available == 7)
  }

  @Test("the ledger charges what was delivered and gives back the rest, once", arguments: 0...5)
  func partial(delivered: Int) throws {
    _ = try fixture.balance(of: anna)
    try buy(.bundle, 8, source: "apple:1")
    try hold(4)
    #expect(try fixture.balance(of: anna).held == 4)
    try end(capturing: delivered)
    let spent = min(delivered, 4)
    #expect(try fixture.balance(of: anna).available == 9 - spent)
    let credits = try fixture.tables.read { try Ledger.credits(of: "gen_1", in: $0) }
    #expect(credits == Credits(held: 4, charged: spent, released: 4 - spent, balanceAfter: 9 - spent))
    let again = try fixture.write { try $0.endHold(for: "gen_1", capturing: 4, because: "again") }
    #expect(again == nil)
    #expect(try fixture.balance(of: anna).available == 9 - spent)
  }

  @Test("the ledger gives back what expired while it was held as a make-good of seven days (LEDGER rule 3)")
  func makegood() throws {
    _ = try fixture.balance(of: anna)
    try buy(.subscription, 6, source: "apple:1", days: 10)
    try hold(6)
    try fixture.pass(11 * day)
    #expect(try fixture.balance(of: anna).available == 1)
    try end(capturing: 2)
    #expect(try available(.makegood) == 4)
    try fixture.pass(7 * day - 1)
    #expect(try available(.makegood) == 4)
    try fixture.pass(1)
    #expect(try available(.makegood) == 0)
    #expect(try fixture.findings() == [])
  }

  @Test("the ledger rolls nothing over: a month's rest is gone when the next begins")
  func months() throws {
    _ = try fixture.balance(of: anna)
    try buy(.subscription, 168, source: "apple:1", days: 365)
    try hold(100)
    try end(capturing: 100)
    #expect(try available(.period) == 68)
    #expect(try fixture.balance(of: anna).level == .yellow)
    let next = try #require(try fixture.balance(of: anna).resetAt)
    try fixture.pass(next.milliseconds - fixture.system)
    #expect(try available(.period) == 168)
    #expect(try fixture.balance(of: anna).allocation == 168)
    // A month in which nobody looked brings nothing afterwards.
    try fixture.pass(next.adding(months: 3).milliseconds - fixture.system)
    #expect(try available(.period) == 168)
    try fixture.pass(365 * day)
    #expect(try fixture.balance(of: anna).tier == .guest)
    #expect(try fixture.balance(of: anna).available == 1)
    #expect(try fixture.findings() == [])
  }

  @Test("the ledger never counts a purchase twice, whoever submits it")
  func replay() throws {
    try buy(.bundle, 8, source: "apple:1")
    func submit(_ account: AccountID) throws -> PurchaseOutcomeKind {
      try fixture.write {
        try $0.record(
          Purchase(
            source: "apple:1", account: account, product: "p", kind: .bundle, credits: 8, quantity: 1,
            purchasedAt: $0.now, expiresAt: nil)
        ).kind
      }
    }
    #expect(try submit(anna) == .countedBefore)
    #expect(try submit("bert") == .ofAnotherAccount)
    #expect(try fixture.balance(of: anna).available == 9)
    #expect(try fixture.balance(of: "bert").available == 1)
  }

  @Test("the ledger takes back a refund, owes what was spent of it, and holds nothing until that is paid (LEDGER rule 8)")
  func refund() throws {
    _ = try fixture.balance(of: anna)
    try buy(.bundle, 8, source: "apple:1")
    // The guest's credit goes first: of these, two of the eight.
    try hold(3)
    try end(capturing: 3)
    try hold(4, "gen_2")
    #expect(try fixture.write { try $0.refund(.named("apple:1"), at: $0.now) })
    #expect(try fixture.balance(of: anna).available == 0)
    #expect(try fixture.balance(of: anna).shortfall == 2)
    // What was held when the refund came: captured is owed, released is gone.
    try end("gen_2", capturing: 1)
    #expect(try fixture.balance(of: anna).shortfall == 3)
    #expect(try fixture.balance(of: anna).available == 0)
    try fixture.give(2, to: anna, key: "1")
    #expect(try fixture.balance(of: anna).shortfall == 1)
    #expect(throws: LedgerRefusal.self) { try hold(1, "gen_3") }
    try fixture.tables.write { try fixture.end("gen_3", charged: 0, in: $0) }
    try buy(.bundle, 8, source: "apple:2")
    let balance = try fixture.balance(of: anna)
    #expect(balance.shortfall == 0 && balance.available == 7)
    #expect(try !fixture.write { try $0.refund(.named("apple:1"), at: $0.now) }, "once")
    #expect(try fixture.findings() == [])
  }

  @Test("the ledger lets nothing expire while the clock is far behind, and notes it (LEDGER rule 6)")
  func clockBehind() throws {
    _ = try fixture.balance(of: anna)
    try buy(.subscription, 5, source: "apple:1", days: 1)
    let before = fixture.system
    // The clock runs ahead by less than is doubted, something moves, then it is put right.
    fixture.system += 2 * day
    try fixture.write(of: "bert") { _ in }
    fixture.system = before
    #expect(try fixture.balance(of: anna).available == 6, "nothing is over")
    try hold(6)
    try end(capturing: 0)
    #expect(try fixture.balance(of: anna).available == 6, "and nothing is made good")
    let jumps = try fixture.number("SELECT count(*) FROM clock_jump")
    #expect(jumps == 1)
    let times = try fixture.tables.read { try $0.values("SELECT created FROM transfer ORDER BY seq", as: Int64.self) }
    #expect(times == times.sorted())
    fixture.system = before + 2 * day
    #expect(try fixture.balance(of: anna).available == 1)
    #expect(try fixture.findings() == [])
  }

  @Test(
    "the ledger does not follow a clock that has jumped ahead, nor what such a clock once wrote",
    arguments: [3, 30, 400] as [Int64])
  func clockAhead(days: Int64) throws {
    _ = try fixture.balance(of: anna)
    try buy(.subscription, 5, source: "apple:1", days: 2)
    let before = fixture.system
    fixture.system += days * day
    #expect(try fixture.balance(of: anna).tier == .premium && fixture.balance(of: anna).available == 6)
    // Work goes on, and what is bought or given meanwhile is there at once.
    try hold(6)
    try end(capturing: 1)
    try buy(.subscription, 7, source: "apple:2", days: 1)
    try fixture.write(of: "bert") { try $0.set(.premium, of: "bert") }
    #expect(try fixture.balance(of: anna).available == 12)
    #expect(try fixture.balance(of: "bert").available == 169)
    fixture.system = before + day
    #expect(try fixture.balance(of: anna).available == 12)
    #expect(try fixture.balance(of: "bert").available == 169)
    let latest = try fixture.tables.read { try $0.value("SELECT max(created) FROM transfer", as: Int64.self) }
    #expect(latest ?? .max <= fixture.system, "the ledger's time has not been carried away")
    // A ledger whose time was: once such a clock was confirmed.
    fixture.system += days * day
    try fixture.confirmClock()
    try fixture.give(1, to: anna, key: "1")
    fixture.system = before + day
    try fixture.confirmClock()
    try fixture.give(1, to: anna, key: "2")
    let last = try fixture.tables.read { try $0.value("SELECT created FROM transfer ORDER BY seq DESC", as: Int64.self) }
    #expect(last == fixture.system)
    #expect(try fixture.findings() == [])
  }

  @Test("the ledger refuses to be changed: rows are only added", arguments: LedgerTable.all.map(\.name))
  func appendOnly(table: String) throws {
    _ = try fixture.balance(of: anna)
    try fixture.write { _ = try $0.signIn(Identity(provider: "apple", subject: "1"), as: anna) }
    try buy(.bundle, 8, source: "apple:1")
    try buy(.subscription, 8, source: "apple:2", days: 30)
    try hold(9)
    try end(capturing: 9)
    try fixture.write { _ = try $0.refund(.named("apple:1"), at: $0.now) }
    try fixture.write { _ = try $0.refund(.named("apple:2"), at: $0.now) }
    try fixture.give(2, to: anna, key: "1")
    try fixture.give(50, to: anna, key: "2")
    try fixture.take(1, from: anna)
    try fixture.take(1, from: anna, payment: "operator:2")
    let count = try fixture.number("SELECT count(*) FROM \(table)")
    #expect(count > 0)
    for statement in [
      "UPDATE \(table) SET created = created + 1", "UPDATE \(table) SET amount = amount + 1", "DELETE FROM \(table)",
      "INSERT OR REPLACE INTO \(table) SELECT * FROM \(table)",
    ] where !["account", "subscription"].contains(table) || !statement.contains("created") {
      #expect(throws: (any Error).self, "\(statement)") {
        try fixture.tables.write { try $0.run(statement) }
      }
    }
    #expect(try fixture.findings() == [])
  }
}
