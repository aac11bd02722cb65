import AtelierProtocol
import JSON
import Providers
import Store
import ServiceFixture
import Testing

@testable import Engine

@Suite("Accounts", .timeLimit(.minutes(3)))
struct AccountTests {
  private let ada = Identity(provider: "email", subject: "ada@example.org")

  @Test("accounts that sign in are given four credits beside what they have, once for an identity, and hosts are told")
  func signIn() async throws {
    let engine = try ServiceFixture().engine([ScriptedProvider(creditsPerImage: 1)])
    let first = try await engine.engine.signIn(AccountSignIn(account: "ada", identity: ada), for: Caller())
    #expect(first.account == "ada" && first.tier == .free && first.granted == 4 && first.isNew)
    #expect(first.balance.available == 5)
    #expect(engine.creditsTold == [[5, 0]])
    for account in ["ada", "another"] as [AccountID] {
      let again = try await engine.engine.signIn(AccountSignIn(account: account, identity: ada), for: Caller())
      #expect(again.account == "ada" && again.granted == 0 && !again.isNew && again.balance.available == 5)
    }
    #expect(engine.creditsTold.count == 1)
    let account = try await engine.engine.account(AccountGet(account: "ada"), for: Caller())
    #expect(account.signedInWith == ["email"] && account.createdAt == engine.clock.now && account.tier == .free)
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("a confined connection does not learn whose an identity is")
  func confinedSignIn() async throws {
    let engine = try ServiceFixture().engine([])
    _ = try await engine.engine.signIn(AccountSignIn(account: "ada", identity: ada), for: Caller())
    let refusal = try await #require(throws: AtelierError.self) {
      try await engine.engine.signIn(AccountSignIn(account: "ben", identity: ada), for: Caller(confinedTo: "ben"))
    }
    #expect(refusal.kind == .permissionDenied)
    #expect(!refusal.message.contains("ada"))
    let own = try await engine.engine.signIn(
      AccountSignIn(account: "ada", identity: ada), for: Caller(confinedTo: "ada"))
    #expect(own.account == "ada")
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("the machine's own account has nothing to count and is refused what would")
  func owner() async throws {
    let engine = try ServiceFixture().engine([ScriptedProvider(creditsPerImage: 1)])
    _ = try await engine.generations.generate(.picture(), for: Caller())
    #expect(try await engine.engine.balance(CreditsBalance(), for: Caller()) == .unmetered(.owner))
    let history = try await engine.engine.creditHistory(CreditsHistory(), for: Caller())
    #expect(history.entries.isEmpty && history.totalUsed == 0)
    #expect(try await engine.engine.account(AccountGet(), for: Caller()).tier == .owner)
    let signIn = await #expect(throws: AtelierError.self) {
      try await engine.engine.signIn(AccountSignIn(account: .owner, identity: ada), for: Caller())
    }
    let purchase = await #expect(throws: AtelierError.self) {
      try await engine.engine.purchase(
        CreditsPurchase(proof: PurchaseProof(.apple, [.signedTransaction: SecretText("a.b.c")])), for: Caller())
    }
    #expect(signIn?.kind == .permissionDenied && purchase?.kind == .permissionDenied)
    #expect(signIn?.hint?.contains("owner") == true && purchase?.hint?.contains("owner") == true)
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("accounts tell what became of their credits, page by page, with what was asked for, below a page's bytes")
  func history() async throws {
    var configuration = EngineConfiguration()
    configuration.pageBytes = 700
    let engine = try ServiceFixture().engine([ScriptedProvider(creditsPerImage: 1)], configuration: configuration)
    try await engine.give(9, to: "anna")
    for number in 1...6 {
      _ = try await engine.generations.generate(.picture("lighthouse \(number)", account: "anna"), for: Caller())
    }
    var entries: [CreditsHistory.Entry] = []
    var cursor: String?
    var pages = 0
    repeat {
      let page = try await engine.engine.creditHistory(
        CreditsHistory(account: "anna", limit: 5, cursor: cursor), for: Caller())
      #expect(page.entries.count < 5 && page.totalUsed == 6)
      entries += page.entries
      cursor = page.nextCursor
      pages += 1
      try #require(pages < 100, "the pages do not end")
    } while cursor != nil
    #expect(pages >= 3)
    #expect(entries.map(\.amount) == [-1, -1, -1, -1, -1, -1, 9, 1])
    #expect(entries.compactMap(\.prompt) == (1...6).reversed().map { "lighthouse \($0)" })
    #expect(entries.map(\.balanceAfter) == [4, 5, 6, 7, 8, 9, 10, 1])
    await #expect(throws: JSONDecodingFailure.self) {
      try await engine.engine.creditHistory(CreditsHistory(account: "anna", cursor: "nonsense"), for: Caller())
    }
    try await engine.leaveWithTheLedgerInOrder()
  }
}
