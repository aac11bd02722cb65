import AtelierProtocol
import Testing

@testable import Store

/// An account that is deleted and one that has its name afterwards are two. Whatever arrives late concerns the one that it
/// was about.
@Suite("Accounts that have one name, one after the other", .timeLimit(.minutes(2)))
struct LivesTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  private let apple = Identity(provider: "apple", subject: "anna")

  private func spend(_ credits: Int, of account: AccountID, in store: Store) async throws {
    let id = try await store.begin(fixture.acceptance(account, metering: Metering(credits: credits, limits: [])))
    try await store.succeed(id, with: [UInt8(fixture.next() % 256)], credits: credits)
  }

  private func delete(_ account: AccountID, in store: Store) async throws {
    fixture.clock.advance(by: 1)
    _ = try await store.deleteAccount(account)
    fixture.clock.advance(by: 1)
    #expect(try await !store.isKnown(account))
  }

  /// Available and owed.
  private func standing(of account: AccountID, in store: Store) async throws -> [Int] {
    let balance = try await store.creditBalance(of: account)
    return [balance.available ?? 0, balance.shortfall]
  }

  /// How a refund may be reported: whether with a key of its own, and whether what is spent shall be owed.
  private static let reports: [(Bool, Bool?)] = [true, false].flatMap { hasOwnKey in
    [nil, true, false].map { (hasOwnKey, $0) }
  }

  private func refund(
    _ amount: Int, of payment: String, from account: AccountID, _ report: (hasOwnKey: Bool, owes: Bool?) = (false, nil),
    in store: Store
  ) async throws -> RevocationOutcome {
    try await store.revokeCredits(
      amount, from: account, because: "refunded", source: report.hasOwnKey ? "refund \(fixture.next())" : payment,
      payment: report.hasOwnKey ? payment : nil, owes: report.owes
    ).outcome
  }

  @Test(
    "a refund after the deletion takes what is left there, is owed by nobody, and makes nobody exist", arguments: reports)
  func afterDeletion(hasOwnKey: Bool, owes: Bool?) async throws {
    for spent in [0, 20] {
      for comesBack in [false, true] {
        let fixture = try StoreFixture()
        let test = LivesTests(fixture)
        let store = try await fixture.open()
        _ = try await store.grantCredits(48, to: "anna", because: "card", source: "pi")
        if spent > 0 { try await test.spend(spent + 1, of: "anna", in: store) }
        try await test.delete("anna", in: store)
        if comesBack {
          _ = try await store.grantCredits(5, to: "anna", because: "another card", source: "other")
          #expect(try await test.standing(of: "anna", in: store) == [5, 0])
        }
        let refunded = try await test.refund(48, of: "pi", from: "anna", (hasOwnKey, owes), in: store)
        #expect(refunded == RevocationOutcome(taken: 48 - spent, owed: 0, isNew: true))
        #expect(try await store.isKnown("anna") == comesBack)
        let left: Int? = try await store.read {
          try $0.value(
            "SELECT available FROM grant_balance JOIN credit_grant ON id = grant_id WHERE source_key = 'operator:pi'")
        }
        #expect(left == 0)
        #expect(try await test.refund(48, of: "pi", from: "anna", (hasOwnKey, owes), in: store).taken == 0)
        if comesBack { #expect(try await test.standing(of: "anna", in: store) == [5, 0]) }
        #expect(try await store.auditLedger() == [])
        await store.close()
      }
    }
  }

  init(_ fixture: StoreFixture) { self.fixture = fixture }

  @Test("a refund after the deletion finds its credits in the account that the payer's was merged into")
  func afterMergeAndDeletion() async throws {
    let store = try await fixture.open()
    _ = try await store.signIn(apple, as: "phone")
    _ = try await store.grantCredits(8, to: "slate", because: "card", source: "pi")
    try await spend(1, of: "slate", in: store)
    _ = try await store.signIn(apple, as: "slate")
    _ = try await store.grantCredits(9, to: "phone", because: "another card", source: "other")
    try await delete("phone", in: store)
    for name in ["slate", "phone"] as [AccountID] {
      _ = try await store.grantCredits(3, to: name, because: "a third card", source: "new \(name)")
    }
    #expect(try await refund(8, of: "pi", from: "slate", in: store) == RevocationOutcome(taken: 8, owed: 0, isNew: true))
    for name in ["slate", "phone"] as [AccountID] { #expect(try await standing(of: name, in: store) == [3, 0]) }
    #expect(try await store.auditLedger() == [])
  }

  @Test("a debt ends with its account, and no other account's does")
  func debts() async throws {
    let store = try await fixture.open()
    for account in ["anna", "bert"] as [AccountID] {
      _ = try await store.grantCredits(8, to: account, because: "card", source: "pi of \(account)")
      try await spend(9, of: account, in: store)
      #expect(try await refund(8, of: "pi of \(account)", from: account, in: store).owed == 8)
    }
    try await delete("anna", in: store)
    #expect(try await standing(of: "bert", in: store) == [0, 8])
    _ = try await store.grantCredits(5, to: "anna", because: "card", source: "new")
    #expect(try await standing(of: "anna", in: store) == [5, 0])
    #expect(try await store.auditLedger() == [])
  }

  // MARK: Refunds before their payment

  @Test("a refund that is reported before its payment takes nothing until that comes, and then counts once")
  func ahead() async throws {
    let store = try await fixture.open()
    _ = try await store.grantCredits(5, to: "anna", because: "another card", source: "other")
    let waiting = RevocationOutcome(taken: 0, owed: 0, isNew: true, isWaiting: true)
    #expect(try await refund(8, of: "pi", from: "anna", (true, nil), in: store) == waiting)
    #expect(try await standing(of: "anna", in: store) == [6, 0])
    // Its older debt is not paid with what is refunded.
    try await spend(6, of: "anna", in: store)
    #expect(try await refund(5, of: "other", from: "anna", in: store).owed == 5)
    _ = try await store.grantCredits(10, to: "anna", because: "card", source: "pi")
    #expect(try await standing(of: "anna", in: store) == [0, 3])
    _ = try await store.grantCredits(10, to: "anna", because: "card", source: "pi")
    #expect(try await standing(of: "anna", in: store) == [0, 3])
    // Where more is left of a payment than is owed, all that is owed is paid.
    #expect(try await refund(1, of: "late", from: "anna", (true, nil), in: store).isWaiting)
    _ = try await store.grantCredits(10, to: "anna", because: "card", source: "late")
    #expect(try await standing(of: "anna", in: store) == [6, 0])
    #expect(try await store.auditLedger() == [])
  }

  @Test("a refund that waits makes no account exist, and waits for whoever the payment comes to", arguments: [
    "deleted", "never used", "merged",
  ])
  func aheadOfAnother(fate: String) async throws {
    let store = try await fixture.open()
    var payer: AccountID = "anna"
    if fate != "never used" { _ = try await store.account("anna") }
    #expect(try await refund(3, of: "pi", from: "anna", (true, true), in: store).isWaiting)
    #expect(try await store.isKnown("anna") == (fate != "never used"))
    switch fate {
    case "deleted": try await delete("anna", in: store)
    case "merged":
      _ = try await store.signIn(apple, as: "phone")
      payer = try await store.signIn(apple, as: "anna").record.account
    default: break
    }
    let before = try await store.creditBalance(of: payer).available ?? 0
    _ = try await store.grantCredits(8, to: payer, because: "card", source: "pi")
    #expect(try await standing(of: payer, in: store) == [before + 5, 0])
    #expect(try await store.auditLedger() == [])
  }

  @Test("a refund of an account that was never used waits for the grant with its key")
  func aheadOfUnknown() async throws {
    let store = try await fixture.open()
    #expect(try await refund(8, of: "pi", from: "anna", (false, true), in: store).isWaiting)
    #expect(try await !store.isKnown("anna"))
    #expect(try await refund(8, of: "pi", from: "anna", (false, true), in: store) ==
      RevocationOutcome(taken: 0, owed: 0, isNew: false, isWaiting: true))
    #expect(try await store.grantCredits(8, to: "anna", because: "card", source: "pi").balance.available == 1)
    #expect(try await store.auditLedger() == [])
  }

  @Test("a debt from before its payment came is taken from the payment where the account is deleted between the two")
  func lapsed() async throws {
    let store = try await fixture.open()
    _ = try await store.account("anna")
    #expect(try await refund(8, of: "pi", from: "anna", (false, true), in: store).owed == 7)
    try await delete("anna", in: store)
    _ = try await store.grantCredits(8, to: "anna", because: "card", source: "pi")
    #expect(try await standing(of: "anna", in: store) == [0, 0])
    #expect(try await store.auditLedger() == [])
  }

  // MARK: Refunds of a part

  @Test("the refunds of a payment take no more than it brought, in whatever parts they come and whenever", arguments: 0...3)
  func parts(before: Int) async throws {
    let store = try await fixture.open()
    _ = try await store.grantCredits(20, to: "anna", because: "another card", source: "other")
    var taken = 0
    for (number, amount) in [3, 3, 1, 8, 5].enumerated() {
      if number == before { _ = try await store.grantCredits(8, to: "anna", because: "card", source: "pi") }
      let outcome = try await refund(amount, of: "pi", from: "anna", (true, nil), in: store)
      if number >= before { #expect(!outcome.isWaiting) }
      taken = min(8, taken + amount)
      let paid = number >= before ? 8 - taken : 0
      #expect(try await standing(of: "anna", in: store) == [21 + paid, 0], "part \(number)")
    }
    #expect(try await refund(8, of: "pi", from: "anna", in: store) == RevocationOutcome(taken: 0, owed: 0, isNew: true))
    #expect(try await standing(of: "anna", in: store) == [21, 0])
    #expect(try await store.auditLedger() == [])
  }

  @Test("a refund of a part owes what is spent of it, unless the operator says otherwise", arguments: [nil, true, false])
  func spentPart(owes: Bool?) async throws {
    let store = try await fixture.open()
    _ = try await store.grantCredits(8, to: "anna", because: "card", source: "pi")
    try await spend(7, of: "anna", in: store)
    if owes == false {
      let refused = await #expect(throws: AtelierError.self) {
        try await refund(3, of: "pi", from: "anna", (true, owes), in: store)
      }
      #expect(refused?.kind == .insufficientCredits)
      #expect(try await standing(of: "anna", in: store) == [2, 0])
      return
    }
    #expect(
      try await refund(3, of: "pi", from: "anna", (true, owes), in: store)
        == RevocationOutcome(taken: 2, owed: 1, isNew: true))
    #expect(try await standing(of: "anna", in: store) == [0, 1])
    #expect(try await store.auditLedger() == [])
  }

  @Test("a refund of another account's payment, or of another payment under a used key, is refused")
  func ofAnother() async throws {
    let store = try await fixture.open()
    for account in ["anna", "bert"] as [AccountID] {
      _ = try await store.grantCredits(8, to: account, because: "card", source: "pi of \(account)")
    }
    let other = await #expect(throws: AtelierError.self) {
      try await store.revokeCredits(3, from: "bert", because: "refunded", source: "r", payment: "pi of anna")
    }
    #expect(other?.kind == .idempotencyMismatch)
    _ = try await store.revokeCredits(3, from: "anna", because: "refunded", source: "r", payment: "pi of anna")
    for payment in ["another", nil] {
      let reused = await #expect(throws: AtelierError.self) {
        try await store.revokeCredits(3, from: "anna", because: "refunded", source: "r", payment: payment)
      }
      #expect(reused?.kind == .idempotencyMismatch)
    }
    #expect(try await standing(of: "anna", in: store) == [6, 0])
    #expect(try await standing(of: "bert", in: store) == [9, 0])
    #expect(try await store.auditLedger() == [])
  }

  // MARK: Other events

  /// What may arrive once more, or late, after its account was deleted.
  private enum Event: CaseIterable, Sendable {
    case grant, change, consent, purchase, refundOfUnseen

    func happen(to account: AccountID, in store: Store, at time: Timestamp) async throws {
      let purchase = Purchase(
        source: "apple:1", account: account, product: "p", kind: .bundle, credits: 8, quantity: 1, purchasedAt: time,
        expiresAt: nil)
      switch self {
      case .grant: _ = try await store.grantCredits(8, to: account, because: "card", source: "pi")
      case .change: _ = try await store.change(account, AccountChange(tier: .premium), source: "event")
      case .consent: _ = try await store.record(Consent(version: "1", acceptedAt: time), of: account)
      case .purchase: _ = try await store.record(purchase)
      case .refundOfUnseen: _ = try await store.refund(purchase, at: time)
      }
    }
  }

  @Test(
    "an event of a deleted account makes nobody exist, and gives nothing to whoever has its name",
    arguments: Event.allCases)
  private func late(event: Event) async throws {
    let store = try await fixture.open()
    let time = fixture.clock.now
    _ = try await store.account("anna")
    // Some come again, the others for the first time.
    if event == .grant || event == .change { try await event.happen(to: "anna", in: store, at: time) }
    try await delete("anna", in: store)
    try await event.happen(to: "anna", in: store, at: time)
    #expect(try await !store.isKnown("anna"))
    _ = try await store.grantCredits(1, to: "anna", because: "another card", source: "new")
    try await event.happen(to: "anna", in: store, at: time)
    let record = try await store.account("anna")
    #expect(record.balance.available == 1 && record.balance.tier == .guest && record.consent == nil)
    #expect(try await store.auditLedger() == [])
  }

  @Test("an event after the deletion belongs to the account that has the name then")
  func fresh() async throws {
    let store = try await fixture.open()
    _ = try await store.account("anna")
    try await delete("anna", in: store)
    for event in [Event.consent, .purchase] { try await event.happen(to: "anna", in: store, at: fixture.clock.now) }
    let record = try await store.account("anna")
    #expect(record.balance.available == 8 && record.consent?.version == "1")
  }

  @Test("a paid month is granted once, though its account is deleted and comes back within it")
  func months() async throws {
    let store = try await fixture.open()
    let start = fixture.clock.now
    _ = try await store.confirmClock()
    for (round, starts) in [nil, start, nil].enumerated() {
      let change = try await store.change("anna", AccountChange(tier: .premium, start: starts), source: "event \(round)")
      #expect(change.granted == (round == 0 ? 168 : 0), "round \(round)")
      #expect(change.record.balance.tier == .premium)
      if round < 2 { try await delete("anna", in: store) }
    }
    fixture.clock.advance(by: 32 * 86_400_000)
    _ = try await store.confirmClock()
    #expect(try await store.creditBalance(of: "anna").available == 168)
    #expect(try await store.auditLedger() == [])
  }
}
