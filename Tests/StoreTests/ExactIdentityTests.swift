import AtelierProtocol
import Support
import Testing

@testable import Store

@Suite("Accounts that Swift's strings call equal, in the store")
struct ExactIdentityTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  @Test(
    "accounts that Swift calls equal have their own gifts, purchases, sessions and history",
    arguments: HostileInput.equivalentTexts)
  func accounts(first: String, second: String) async throws {
    let (theirs, mine) = (AccountID(rawValue: first), AccountID(rawValue: second))
    let store = try await fixture.open()
    _ = try await store.grantCredits(5, to: theirs, because: "a gift", source: "ticket")
    let error = await #expect(throws: AtelierError.self) {
      try await store.grantCredits(5, to: mine, because: "a gift", source: "ticket")
    }
    #expect(error?.kind == .idempotencyMismatch)

    var purchase = Purchase(
      source: "google:1", account: theirs, product: "bundle8", kind: .bundle, credits: 8, quantity: 1,
      purchasedAt: fixture.clock.now, expiresAt: nil)
    _ = try await store.record(purchase)
    purchase.account = mine
    guard case .ofAnotherAccount = try await store.record(purchase) else {
      Issue.record("one account's purchase counts for another")
      return
    }
    #expect(try await store.creditBalance(of: theirs).available == 14)
    #expect(try await store.creditBalance(of: mine).available == 1)

    let id = try await store.begin(fixture.acceptance(theirs, recipe: .create))
    _ = try await store.finish(Settlement(id: id, state: .failed))
    // A session begins with the first refinement.
    let next = try await store.begin(fixture.acceptance(theirs, recipe: .edit, parent: id))
    _ = try await store.finish(Settlement(id: next, state: .failed))
    #expect(Set(try await store.session(id, account: theirs, limit: 10).entries.map(\.id)) == [id, next])
    await #expect(throws: AtelierError.self) { try await store.session(id, account: mine, limit: 1) }
    #expect(try await store.sessions(account: mine, limit: 10).sessions.isEmpty)
    #expect(try await store.generation(id, account: mine) == nil)
  }
}
