import AtelierProtocol
import Testing

@testable import Store

@Suite("What an operator does with credits")
struct OperatorCreditsTests {
  let house: StoreFixture
  init() throws { house = try StoreFixture() }

  @Test("the same key gives nothing twice, and no other gift; without one each call is a new gift")
  func keys() async throws {
    let store = try await house.open()
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

  @Test("the reason of what was given and of what was taken back stays in the account's history")
  func reasons() async throws {
    let store = try await house.open()
    _ = try await store.grantCredits(5, to: "anna", because: "sorry for the outage")
    _ = try await store.revokeCredits(3, from: "anna", because: "given\u{0}twice")
    let entries = try await store.creditHistory(of: "anna", limit: 10, cursor: nil).entries
    // The guest's credit goes first.
    #expect(entries.map(\.amount) == [-2, -1, 5, 1])
    #expect(entries.map(\.kind) == [.revocation, .revocation, .grant, .grant])
    #expect(entries.map(\.reason) == ["given\u{FFFD}twice", "given\u{FFFD}twice", "sorry for the outage", nil])
    #expect(try await store.auditLedger() == [])
  }

  @Test("a revocation of more than there is takes nothing")
  func tooMuch() async throws {
    let store = try await house.open()
    _ = try await store.grantCredits(5, to: "anna", because: "a gift")
    let error = await #expect(throws: AtelierError.self) {
      try await store.revokeCredits(7, from: "anna", because: "all of it")
    }
    #expect(error?.kind == .insufficientCredits)
    #expect(try await store.creditBalance(of: "anna").available == 6)
  }
}
