import AtelierProtocol
import Testing

@testable import Store

@Suite("What an operator does with credits")
struct OperatorCreditsTests {
  let fixture: StoreFixture
  /// Ten bought credits.
  private let bought: Purchase

  init() throws {
    fixture = try StoreFixture()
    bought = Purchase(
      source: "apple:1", account: "anna", product: "p", kind: .bundle, credits: 10, quantity: 1,
      purchasedAt: fixture.clock.now, expiresAt: nil)
  }

  private func begin(_ credits: Int, in store: Store) async throws -> GenerationID {
    try await store.begin(fixture.acceptance("anna", recipe: .edit, metering: Metering(credits: credits, limits: [])))
  }

  @Test("the same key gives nothing twice, and no other gift; without one each call is a new gift")
  func keys() async throws {
    let store = try await fixture.open()
    for isNew in [true, false] {
      let gift = try await store.grantCredits(5, to: "anna", because: "a gift", source: "ticket")
      #expect(gift.isNew == isNew && gift.balance.available == 6)
    }
    for (amount, account) in [(6, "anna"), (5, "bert")] as [(Int, AccountID)] {
      let error = await #expect(throws: AtelierError.self) {
        try await store.grantCredits(amount, to: account, because: "a gift", source: "ticket")
      }
      #expect(error?.kind == .idempotencyMismatch)
    }
    for available in [8, 10] {
      let gift = try await store.grantCredits(2, to: "anna", because: "a gift")
      #expect(gift.isNew && gift.balance.available == available)
    }
    #expect(try await store.auditLedger() == [])
  }

  @Test("the same key takes nothing back twice, and nothing else")
  func revocationKeys() async throws {
    let store = try await fixture.open()
    _ = try await store.grantCredits(9, to: "anna", because: "a gift", source: "ticket")
    for isNew in [true, false] {
      let revocation = try await store.revokeCredits(3, from: "anna", because: "given twice", source: "ticket")
      #expect(revocation.outcome.isNew == isNew && revocation.balance.available == 7)
    }
    _ = try await store.creditBalance(of: "bert")
    let others: [(Int, AccountID, String)] = [
      (2, "anna", "given twice"), (3, "bert", "given twice"), (3, "anna", "another reason"),
    ]
    for (amount, account, reason) in others {
      let error = await #expect(throws: AtelierError.self) {
        try await store.revokeCredits(amount, from: account, because: reason, source: "ticket")
      }
      #expect(error?.kind == .idempotencyMismatch)
    }
    for available in [5, 3] {
      let revocation = try await store.revokeCredits(2, from: "anna", because: "given twice")
      #expect(revocation.outcome.isNew && revocation.balance.available == available)
    }
    #expect(try await store.auditLedger() == [])
  }

  @Test("a grant says that its account is new, and looking at an account or taking from it does not make it exist")
  func newAccounts() async throws {
    let store = try await fixture.open()
    #expect(try await !store.isKnown("anna"))
    let error = await #expect(throws: AtelierError.self) {
      try await store.revokeCredits(1, from: "anna", because: "a typing error", source: "1")
    }
    #expect(error?.kind == .notFound)
    #expect(try await !store.isKnown("anna"))
    for isNew in [true, false] {
      #expect(try await store.grantCredits(1, to: "anna", because: "a gift").isNewAccount == isNew)
    }
    #expect(try await store.isKnown("anna"))
  }

  @Test("the reason of what was given and of what was taken back stays in the account's history")
  func reasons() async throws {
    let store = try await fixture.open()
    _ = try await store.grantCredits(5, to: "anna", because: "sorry for the outage")
    _ = try await store.revokeCredits(3, from: "anna", because: "given\u{0}twice")
    let entries = try await store.creditHistory(of: "anna", limit: 10, cursor: nil).entries
    #expect(entries.map(\.amount) == [-3, 5, 1])
    #expect(entries.map(\.kind) == [.revocation, .grant, .grant])
    #expect(entries.map(\.reason) == ["given\u{FFFD}twice", "sorry for the outage", nil])
    #expect(try await store.auditLedger() == [])
  }

  @Test("a revocation of more than there is takes nothing")
  func tooMuch() async throws {
    let store = try await fixture.open()
    _ = try await store.grantCredits(5, to: "anna", because: "a gift")
    let error = await #expect(throws: AtelierError.self) {
      try await store.revokeCredits(7, from: "anna", because: "all of it")
    }
    #expect(error?.kind == .insufficientCredits)
    #expect(try await store.creditBalance(of: "anna").available == 6)
  }

  @Test("a change with a key is made once, and another one with that key is refused")
  func changeKeys() async throws {
    let store = try await fixture.open()
    let start = fixture.clock.now.later(by: -86_400_000)
    let premium = AccountChange(tier: .premium, start: start)
    for isNew in [true, false] {
      let change = try await store.change("anna", premium, source: "e1")
      #expect(change.isNew == isNew && change.granted == (isNew ? 168 : 0))
      #expect(change.reason == (isNew ? nil : .alreadyGranted))
    }
    let others: [(AccountID, AccountChange)] = [
      ("bert", premium), ("anna", AccountChange(tier: .premium)), ("anna", AccountChange(tier: .free, start: start)),
      ("anna", AccountChange(tier: .premium, isUnlimited: false, start: start)),
    ]
    for (account, change) in others {
      let error = await #expect(throws: AtelierError.self) {
        _ = try await store.change(account, change, source: "e1")
      }
      #expect(error?.kind == .idempotencyMismatch)
    }
    _ = try await store.change("anna", AccountChange(tier: .guest), source: "e2")
    // The first event again, late: it does not undo the second.
    #expect(try await store.change("anna", premium, source: "e1").record.balance.tier == .guest)
    let again = try await store.change("anna", premium, source: "e3")
    #expect(again.record.balance.tier == .premium && again.granted == 0 && again.reason == .monthRunning)
    #expect(try await store.auditLedger() == [])
  }

  @Test("a refund of an account that was never used waits for its payment, and the history tells of both")
  func refundOfUnknown() async throws {
    let store = try await fixture.open()
    let refund = try await store.revokeCredits(8, from: "anna", because: "refunded", source: "pi", owes: true)
    #expect(refund.outcome == RevocationOutcome(taken: 0, owed: 0, isNew: true, isWaiting: true))
    #expect(try await store.grantCredits(8, to: "anna", because: "paid", source: "pi").balance.available == 1)
    #expect(try await store.creditBalance(of: "anna").shortfall == 0)
    let entries = try await store.creditHistory(of: "anna", limit: 10, cursor: nil).entries
    #expect(entries.map(\.amount) == [-8, 8, 1])
    #expect(try await store.auditLedger() == [])
  }

  @Test("a refund that arrives before its payment, beside bought credits, leaves those to their own refund")
  func refundBeforePayment() async throws {
    let store = try await fixture.open()
    _ = try await store.record(bought)
    // The guest's one and seven that were bought.
    #expect(try await store.revokeCredits(8, from: "anna", because: "refunded", source: "pi", owes: true).outcome.taken == 8)
    #expect(try await store.grantCredits(8, to: "anna", because: "paid", source: "pi").balance.available == 11)
    #expect(try await store.refund(bought, at: fixture.clock.now))
    let balance = try await store.creditBalance(of: "anna")
    #expect(balance.available == 8 && balance.shortfall == 7)
    #expect(try await store.auditLedger() == [])
  }

  @Test("the months of a given tier are gifts: taken back when they are spent, they are not bought credits")
  func givenMonths() async throws {
    let store = try await fixture.open()
    _ = try await store.change("anna", AccountChange(tier: .premium), source: "e1")
    try await store.succeed(try await begin(169, in: store), with: [1], credits: 169)
    _ = try await store.record(bought)
    #expect(try await store.revokeCredits(10, from: "anna", because: "the month was not paid for").outcome.taken == 10)
    #expect(try await store.creditBalance(of: "anna").shortfall == 0)
    #expect(try await store.refund(bought, at: fixture.clock.now))
    #expect(try await store.creditBalance(of: "anna").shortfall == 10)
    #expect(try await store.auditLedger() == [])
  }

  @Test("the make-good for expired credits of a given month is a gift as well")
  func replacedMonths() async throws {
    let store = try await fixture.open()
    _ = try await store.change("anna", AccountChange(tier: .premium), source: "e1")
    let held = try await begin(169, in: store)
    _ = try await store.change("anna", AccountChange(tier: .guest), source: "e2")
    fixture.clock.advance(by: 32 * 86_400_000)
    _ = try await store.confirmClock()
    _ = try await store.finish(Settlement(id: held, state: .failed, files: [], error: AtelierError(.internal)))
    #expect(try await store.creditBalance(of: "anna").available == 169)
    try await store.succeed(try await begin(169, in: store), with: [1], credits: 169)
    _ = try await store.record(bought)
    #expect(try await store.revokeCredits(10, from: "anna", because: "the month was not paid for").outcome.taken == 10)
    #expect(try await store.refund(bought, at: fixture.clock.now))
    #expect(try await store.creditBalance(of: "anna").shortfall == 10)
    #expect(try await store.auditLedger() == [])
  }

  @Test("looking at an account that is not to be registered tells what a guest has, and leaves nothing behind")
  func unregistered() async throws {
    let store = try await fixture.open()
    for _ in 0..<2 {
      #expect(try await store.creditBalance(of: "anna", registers: false).available == 1)
      #expect(try await store.account("anna", registers: false).balance.tier == .guest)
      #expect(try await store.creditHistory(of: "anna", limit: 5, cursor: nil, registers: false).entries.count == 1)
      #expect(try await store.usage(of: "anna", against: UsageLimit.standard, registers: false).count == 12)
      let metering = Metering(credits: 2, limits: UsageLimit.standard)
      let allowance = try await store.allowance(of: "anna", for: .create, metering: metering, registers: false)
      #expect(allowance.refusal?.kind == .insufficientCredits)
    }
    #expect(try await !store.isKnown("anna"))
    let rows = try await store.number("SELECT count(*) FROM transfer")
    #expect(rows == 0)
    _ = try await store.grantCredits(1, to: "anna", because: "a gift")
    #expect(try await store.creditBalance(of: "anna", registers: false).available == 2)
  }
}
