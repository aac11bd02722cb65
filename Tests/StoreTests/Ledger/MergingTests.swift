import AtelierProtocol
import Foundation
import Testing

@testable import Store

@Suite("Accounts that become part of others", .timeLimit(.minutes(2)))
struct MergingTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  private let apple = Identity(provider: "apple", subject: "anna")
  private let google = Identity(provider: "google", subject: "anna")

  private func purchase(
    _ source: String, of account: AccountID, _ kind: CreditProduct.Kind = .bundle, credits: Int = 8
  ) -> Purchase {
    Purchase(
      source: source, account: account, product: "p", kind: kind, credits: credits, quantity: 1,
      purchasedAt: fixture.clock.now, expiresAt: nil)
  }

  /// A generation of an account that delivers so many pictures, at a credit each.
  @discardableResult
  private func generate(
    _ store: Store, _ images: Int, for account: AccountID, key: String? = nil
  ) async throws -> GenerationID {
    let id = try await store.begin(
      fixture.acceptance(account, key: key, metering: Metering(credits: images, limits: [])))
    var files: [GenerationFile] = []
    for index in 0..<images {
      let staged = try await store.stage([UInt8(index), UInt8(fixture.next() % 256)], mimeType: "image/png")
      files.append(GenerationFile(index: index, source: .staged(staged), width: 4, height: 3, credits: 1))
    }
    _ = try await store.finish(Settlement(id: id, state: .succeeded, files: files))
    return id
  }

  /// Anna signed in on her phone, and as a guest on her tablet, where she bought and spent.
  private func merged() async throws -> Store {
    let store = try await fixture.open()
    _ = try await store.signIn(apple, as: "phone")
    _ = try await store.record(purchase("apple:1", of: "slate"))
    try await generate(store, 3, for: "slate", key: "first")
    let (record, outcome) = try await store.signIn(apple, as: "slate")
    #expect(outcome == SignInOutcome(account: "phone", isNew: false, granted: 0, hasMerged: true))
    // 1 and 4 on the phone; 1 and 8 on the tablet, of which 3 are spent.
    #expect(record.balance.available == 11 && record.balance.shortfall == 0)
    return store
  }

  @Test("a merged guest's history, keys, totals and consent are the account's")
  func history() async throws {
    let store = try await merged()
    let page = try await store.history(HistoryFilter(account: "phone"), limit: 10)
    #expect(page.entries.map(\.account) == ["phone"] && page.totals.generations == 1)
    #expect(try await store.history(HistoryFilter(account: "slate"), limit: 10).totals.generations == 0)
    #expect(try await store.generation(idempotencyKey: "first", account: "phone") != nil)
    #expect(try await store.presentAccount(of: "slate") == "phone")
    #expect(try await store.auditLedger() == [])
  }

  @Test("a merged account is not used again: what arrives for it is refused as worth another try")
  func late() async throws {
    let store = try await merged()
    let refused = await #expect(throws: AtelierError.self) {
      _ = try await store.grantCredits(5, to: "slate", because: "late")
    }
    #expect(refused?.isRetryable == true)
    #expect(try await store.creditBalance(of: "phone").available == 11)
    #expect(try await store.auditLedger() == [])
  }

  @Test("a refund takes back what was merged and is still there, and the account owes what was spent")
  func refund() async throws {
    let store = try await merged()
    #expect(try await store.refund(purchase("apple:1", of: "slate"), at: fixture.clock.now))
    let balance = try await store.creditBalance(of: "phone")
    // Of the bundle, 2 were spent: the third picture was the credit of the guest.
    #expect(balance.available == 5 && balance.shortfall == 2)
    let refused = await #expect(throws: AtelierError.self) { try await generate(store, 1, for: "phone") }
    #expect(refused?.kind == .insufficientCredits)
    _ = try await store.record(purchase("apple:2", of: "phone"))
    let paid = try await store.creditBalance(of: "phone")
    #expect(paid.available == 11 && paid.shortfall == 0)
    #expect(try await store.auditLedger() == [])
  }

  @Test("a debt is paid at once with what both accounts have")
  func debt() async throws {
    let store = try await fixture.open()
    _ = try await store.signIn(apple, as: "phone")
    _ = try await store.record(purchase("apple:1", of: "slate"))
    try await generate(store, 8, for: "slate")
    _ = try await store.refund(purchase("apple:1", of: "slate"), at: fixture.clock.now)
    _ = try await store.record(purchase("apple:2", of: "phone"))
    let (record, _) = try await store.signIn(apple, as: "slate")
    // 13 and 1 less the 7 that are owed: the guest's own credit was spent first, with 7 of the 8.
    #expect(record.balance.shortfall == 0 && record.balance.available == 6)
    #expect(try await store.auditLedger() == [])
  }

  @Test("a purchase restored under any name of the person is counted once")
  func restored() async throws {
    let store = try await merged()
    guard case .countedBefore(let balance) = try await store.record(purchase("apple:1", of: "phone")) else {
      Issue.record("it was not counted before")
      return
    }
    #expect(balance.available == 11)
    guard case .ofAnotherAccount = try await store.record(purchase("apple:1", of: "stranger")) else {
      Issue.record("somebody else restored it")
      return
    }
  }

  @Test("a guest's subscription goes on for the account, month after month, each once")
  func subscription() async throws {
    let store = try await fixture.open()
    _ = try await store.signIn(apple, as: "phone")
    _ = try await store.set("slate", tier: .premium, isUnlimited: nil)
    let (record, _) = try await store.signIn(apple, as: "slate")
    #expect(record.balance.tier == .premium && record.balance.available == 5 + 168)
    fixture.clock.advance(by: 32 * 86_400_000)
    #expect(try await store.creditBalance(of: "phone").available == 5 + 168)
    #expect(try await store.auditLedger() == [])
  }

  @Test("a gift repeated under its key after the merge is not given again, whichever name it names")
  func repeated() async throws {
    let store = try await fixture.open()
    _ = try await store.signIn(apple, as: "phone")
    _ = try await store.grantCredits(5, to: "slate", because: "a gift", source: "key")
    _ = try await store.change("slate", AccountChange(tier: .premium), source: "event")
    _ = try await store.signIn(apple, as: "slate")
    let again = try await store.grantCredits(5, to: "phone", because: "a gift", source: "key")
    #expect(!again.isNew)
    #expect(try await !store.change("phone", AccountChange(tier: .premium), source: "event").isNew)
    // Its payment was refunded: all of it is still there.
    let (balance, outcome) = try await store.revokeCredits(5, from: "phone", because: "a gift", source: "key")
    // Not of the month, which is spent first: the very credits that were given under the key.
    #expect(balance.buckets.map(\.kind).contains(.operator) == false)
    #expect(outcome.taken == 5 && outcome.isNew && balance.available == 5 + 168)
    #expect(try await store.auditLedger() == [])
  }

  @Test("an account with other identities stays apart unless it is linked; what was merged into it follows")
  func linked() async throws {
    let store = try await merged()
    _ = try await store.signIn(google, as: "office")
    let apart = try await store.signIn(google, as: "phone").outcome
    #expect(apart == SignInOutcome(account: "office", isNew: false, granted: 0, hasMerged: false))
    let (record, outcome) = try await store.signIn(google, as: "phone", isLinking: true)
    #expect(outcome.hasMerged && record.account == "office")
    #expect(record.signedInWith == ["apple", "google"] && record.balance.available == 6 + 5)
    for name in ["phone", "slate"] as [AccountID] {
      #expect(try await store.presentAccount(of: name) == "office")
    }
    #expect(try await store.signIn(apple, as: "somewhere").outcome.account == "office")
    #expect(try await store.mergedAccounts(into: "office") == ["phone", "slate", "somewhere"])
    #expect(try await store.auditLedger() == [])
  }

  @Test("a guest with a generation that has not ended is not merged, and nothing changes")
  func unfinished() async throws {
    let store = try await fixture.open()
    _ = try await store.signIn(apple, as: "phone")
    let id = try await store.begin(fixture.acceptance("slate", metering: Metering(credits: 1, limits: [])))
    let refused = await #expect(throws: AtelierError.self) { _ = try await store.signIn(apple, as: "slate") }
    #expect(refused?.kind == .notFinished && refused?.generationId == id)
    #expect(try await store.presentAccount(of: "slate") == "slate")
    _ = try await store.cancel(id, account: nil)
    #expect(try await store.signIn(apple, as: "slate").outcome.hasMerged)
    #expect(try await store.auditLedger() == [])
  }

  @Test("a confined caller merges nothing")
  func confined() async throws {
    let store = try await fixture.open()
    _ = try await store.signIn(apple, as: "phone")
    _ = try await store.account("slate")
    let refused = await #expect(throws: AtelierError.self) {
      _ = try await store.signIn(apple, as: "slate", isConfined: true)
    }
    #expect(refused?.kind == .permissionDenied)
    #expect(try await store.presentAccount(of: "slate") == "slate")
  }

  @Test("a deleted account leaves its numbers and no name, in the file or in its log")
  func deleted() async throws {
    let store = try await merged()
    _ = try await store.grantCredits(5, to: "phone", because: "a gift", source: "key")
    _ = try await store.revokeCredits(2, from: "phone", because: "a gift less", source: "other key")
    _ = try await store.record(Consent(version: "1", acceptedAt: fixture.clock.now), of: "phone")
    let spent = try await store.creditSums(of: "phone")
    #expect(spent.available == 14)
    #expect(try await store.deleteAccount("phone").deleted == 1)
    #expect(try await store.auditLedger() == [])
    await store.close()
    for name in ["phone", "slate"] {
      for file in ["atelier.sqlite", "atelier.sqlite-wal"] {
        let bytes = FileManager.default.contents(atPath: "\(fixture.directory.path)/\(file)") ?? Data()
        #expect(!Self.contains(name, in: bytes), "\(name) is in \(file)")
      }
    }
    let after = try await fixture.open()
    #expect(try await after.number("SELECT sum(available) FROM account_balance WHERE account LIKE 'deleted:%'") == 14)
  }

  private static func contains(_ name: String, in bytes: Data) -> Bool {
    String(decoding: bytes, as: Unicode.ASCII.self).contains(name)
  }

  @Test("a deleted account begins anew when its person comes back, without what is given only once")
  func again() async throws {
    let store = try await fixture.open()
    for round in 0..<3 {
      let (record, outcome) = try await store.signIn(apple, as: "phone")
      #expect(outcome.isNew && outcome.granted == (round == 0 ? 4 : 0))
      #expect(record.balance.available == (round == 0 ? 5 : 0))
      _ = try await store.record(purchase("apple:\(round)", of: "phone"))
      try await generate(store, 2, for: "phone", key: "the same key")
      _ = try await store.deleteAccount("phone")
    }
    guard case .ofDeletedAccount = try await store.record(purchase("apple:0", of: "phone")) else {
      Issue.record("a purchase of a deleted account counted again")
      return
    }
    #expect(try await store.auditLedger() == [])
  }

  @Test("an identity whose account was deleted brings nothing again, whichever of the account's identities it was")
  func otherIdentity() async throws {
    let store = try await fixture.open()
    _ = try await store.signIn(apple, as: "phone")
    #expect(try await store.signIn(google, as: "phone").outcome.granted == 0)
    _ = try await store.deleteAccount("phone")
    for (identity, account) in [(google, "a"), (apple, "b")] as [(Identity, AccountID)] {
      let outcome = try await store.signIn(identity, as: account).outcome
      #expect(outcome.isNew && outcome.granted == 0, "\(identity.provider)")
    }
    #expect(try await store.auditLedger() == [])
  }

  @Test("a month that an operator gave is given once to a person who leaves and comes back under other names")
  func givenMonth() async throws {
    let store = try await fixture.open()
    let begin = fixture.clock.now
    for (round, identity) in [apple, google, apple, google].enumerated() {
      let name = AccountID(rawValue: "guest-\(round)")
      _ = try await store.signIn(identity, as: name)
      if round < 2 { _ = try await store.signIn(round == 0 ? google : apple, as: name, isLinking: true) }
      let change = AccountChange(tier: .premium, start: begin)
      _ = try await store.change(name, change, source: "event \(round)")
      let months = try await store.creditBalance(of: name).buckets.filter { $0.kind == .period }
      #expect(months.map(\.amount) == (round == 0 ? [168] : []), "round \(round)")
      if round == 2 { _ = try await store.signIn(google, as: name, isLinking: true) }
      _ = try await store.deleteAccount(name)
    }
    // The month after it is another payment.
    fixture.clock.advance(by: 40 * 86_400_000)
    _ = try await store.signIn(apple, as: "later")
    let start = begin.later(by: 35 * 86_400_000)
    #expect(try await store.change("later", AccountChange(tier: .premium, start: start), source: "later").granted == 168)
    #expect(try await store.auditLedger() == [])
  }

  @Test("a payment that comes late for a guest who had done nothing before signing in is the person's")
  func nothingDone() async throws {
    let store = try await fixture.open()
    _ = try await store.signIn(apple, as: "phone")
    let (_, outcome) = try await store.signIn(apple, as: "browser")
    #expect(outcome == SignInOutcome(account: "phone", isNew: false, granted: 0, hasMerged: false))
    // Whoever names the guest means the person from here on.
    #expect(try await store.presentAccount(of: "browser") == "phone")
    #expect(try await store.mergedAccounts(into: "phone") == ["browser"])
    #expect(try await store.creditBalance(of: "phone").available == 5)
    #expect(try await store.auditLedger() == [])
  }

  @Test("an account that was used without being counted is merged and deleted as any other")
  func uncounted() async throws {
    let store = try await fixture.open()
    _ = try await store.signIn(apple, as: "phone")
    let id = try await store.begin(fixture.acceptance("slate"))
    _ = try await store.succeed(id, with: [1, 2, 3])
    #expect(try await !store.isKnown("slate"))
    let (record, outcome) = try await store.signIn(apple, as: "slate")
    #expect(outcome.hasMerged && record.balance.available == 5)
    #expect(try await store.history(HistoryFilter(account: "phone"), limit: 10).totals.generations == 1)
    let late = await #expect(throws: AtelierError.self) { _ = try await store.accept(fixture.acceptance("slate")) }
    #expect(late?.isRetryable == true)
    let other = try await store.begin(fixture.acceptance("desk"))
    _ = try await store.succeed(other, with: [4])
    #expect(try await store.deleteAccount("desk").deleted == 1)
    #expect(try await store.deleteAccount("phone").deleted == 1)
    #expect(try await store.auditLedger() == [])
  }

  @Test("a refund in full after a merge takes back what a purchase had lifted")
  func limits() async throws {
    let store = try await fixture.open()
    let limits = [UsageLimit(.day, recipe: .headshot, limit: 10)]
    _ = try await store.signIn(apple, as: "phone")
    _ = try await store.grantCredits(8, to: "slate", because: "card", source: "pi")
    try await generate(store, 2, for: "slate")
    _ = try await store.signIn(apple, as: "slate")
    #expect(try await store.usage(of: "phone", against: limits).isEmpty)
    let (balance, outcome) = try await store.revokeCredits(8, from: "phone", because: "card", source: "pi")
    #expect(outcome.taken == 8 && balance.shortfall == 0)
    #expect(try await store.usage(of: "phone", against: limits).count == 1)
  }

  @Test("a refund in full takes back what a merged purchase had lifted, also where its credits were spent since")
  func limitsOfMerged() async throws {
    let store = try await fixture.open()
    let limits = [UsageLimit(.day, recipe: .headshot, limit: 10)]
    _ = try await store.signIn(apple, as: "phone")
    _ = try await store.grantCredits(8, to: "slate", because: "card", source: "pi")
    _ = try await store.signIn(apple, as: "slate")
    // The 6 that were given, and some of the 8.
    try await generate(store, 7, for: "phone")
    #expect(try await store.usage(of: "phone", against: limits).isEmpty)
    _ = try await store.revokeCredits(8, from: "phone", because: "card", source: "pi", owes: true)
    _ = try await store.record(purchase("apple:9", of: "phone"))
    _ = try await store.refund(purchase("apple:9", of: "phone"), at: fixture.clock.now)
    #expect(try await store.usage(of: "phone", against: limits).count == 1)
    #expect(try await store.auditLedger() == [])
  }

  @Test("a new identity under a merged guest's name binds nobody to somebody else's account, unless it is linked")
  func oldName() async throws {
    let store = try await merged()
    let refused = await #expect(throws: AtelierError.self) { _ = try await store.signIn(google, as: "slate") }
    #expect(refused?.kind == .permissionDenied)
    #expect(try await store.signIn(google, as: "other").outcome.account == "other")
    let linked = Identity(provider: "email", subject: "anna")
    #expect(try await store.signIn(linked, as: "slate", isLinking: true).outcome.account == "phone")
    // The same person again is who they were.
    #expect(try await store.signIn(apple, as: "slate").outcome.account == "phone")
  }

  @Test("an account is not deleted while something of it runs, and nothing is when it never was")
  func running() async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance("phone", metering: Metering(credits: 1, limits: [])))
    #expect(try await store.deleteAccount("phone").stillRunning == [id])
    #expect(try await store.isKnown("phone"))
    #expect(try await store.deleteAccount("nobody") == DeletionSummary())
    let reserved = await #expect(throws: AtelierError.self) {
      _ = try await store.grantCredits(1, to: "deleted:nobody", because: "a test")
    }
    #expect(reserved?.kind == .notFound)
  }
}
