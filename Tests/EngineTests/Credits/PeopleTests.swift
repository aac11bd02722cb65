import AtelierProtocol
import JSON
import ServiceFixture
import Store
import Testing

@testable import Engine

@Suite("The people behind accounts", .timeLimit(.minutes(3)))
struct PeopleTests {
  private let anna = Identity(provider: "apple", subject: "anna")

  @Test("an account is made nothing for before its person has accepted the terms that are required", arguments: [
    nil, "2026-11",
  ])
  func consent(version: String?) async throws {
    var configuration = EngineConfiguration()
    configuration.requiredConsent = RequiredConsent(version: version)
    let engine = try ServiceFixture().engine([ScriptedProvider(creditsPerImage: 1)], configuration: configuration)
    func refusal() async -> AtelierError? {
      await #expect(throws: AtelierError.self) {
        _ = try await engine.generations.generate(.picture(account: "anna"), for: Caller())
      }
    }
    #expect(await refusal()?.kind == .consentRequired)
    let estimate = try await engine.engine.estimate(
      CreditsEstimate(.picture(account: "anna")), for: Caller())
    #expect(!estimate.allowed && estimate.refusal?.data.kind == "consent_required")
    if version != nil {
      _ = try await engine.engine.recordConsent(AccountConsent(account: "anna", version: "2026-10"), for: Caller())
      let refusal = await refusal()
      #expect(refusal?.kind == .consentRequired && refusal?.details["version"] == "2026-11")
    }
    let recorded = try await engine.engine.recordConsent(AccountConsent(account: "anna", version: "2026-11"), for: Caller())
    #expect(recorded.isNew && recorded.consents.last == Consent(version: "2026-11", acceptedAt: engine.clock.now))
    _ = try await engine.generations.generate(.picture(account: "anna"), for: Caller())
    // The machine's own account needs none.
    _ = try await engine.generations.generate(.picture(), for: Caller())
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("a deletion cancels what runs, and whoever waited for it is told")
  func deletion() async throws {
    let gate = Gate()
    let provider = ScriptedProvider(creditsPerImage: 1) { _, _ in
      try await gate.pass()
      return try ScriptedProvider.picture()
    }
    let engine = try ServiceFixture().engine([provider])
    let running = engine.generate(.picture(account: "anna"))
    await gate.hasSeen()
    let id = try #require(try await engine.engine.lazyStore.store().running(account: "anna").first?.id)
    #expect(await engine.generations.works(on: id, of: "anna"))
    #expect(await !engine.generations.works(on: id, of: "ben"))
    let deleted = try await engine.engine.deleteAccount(AccountDelete(account: "anna"), for: Caller())
    #expect(deleted.deleted == 1)
    #expect(try await running.value.state == .cancelled)
    let history = try await engine.engine.history(History(account: "anna"), for: Caller())
    #expect(history.entries.isEmpty)
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("a request that names a merged account, and a connection confined to it, act for the one it was merged into")
  func presentNames() async throws {
    let engine = try ServiceFixture().engine([ScriptedProvider(creditsPerImage: 1)])
    // Nothing is on record, and nothing is made of a look.
    let untouched = await engine.engine.inPresentNames(["account": "slate"], Caller(confinedTo: "slate"))
    #expect(untouched.params["account"] == "slate" && untouched.caller.confinedTo == "slate")
    _ = try await engine.engine.signIn(AccountSignIn(account: "phone", identity: anna), for: Caller())
    _ = try await engine.generations.generate(.picture(account: "slate"), for: Caller())
    #expect(try await engine.engine.signIn(AccountSignIn(account: "slate", identity: anna), for: Caller()).merged)
    let present = await engine.engine.inPresentNames(["account": "slate"], Caller(confinedTo: "slate"))
    #expect(present.params["account"] == "phone" && present.caller.confinedTo == "phone")
    let others = await engine.engine.inPresentNames(["account": "*"], Caller())
    #expect(others.params["account"] == "*" && others.caller.confinedTo == nil)
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("a connection that the operator has confined must prove an identity, and signs nobody out")
  func confined() async throws {
    let engine = try ServiceFixture().engine([])
    var caller = Caller(confinedTo: "anna")
    caller.mustProveIdentities = true
    let refusal = await #expect(throws: AtelierError.self) {
      _ = try await engine.engine.signIn(AccountSignIn(account: "anna", identity: anna), for: caller)
    }
    #expect(refusal?.kind == .permissionDenied)
    #expect(throws: AtelierError.self) { try engine.engine.signOut(AccountSignOut(account: "anna"), for: caller) }
    let guest = try engine.engine.signOut(AccountSignOut(account: "anna"), for: Caller()).account
    #expect(guest.rawValue.hasPrefix("guest_"))
    try await engine.leaveWithTheLedgerInOrder()
  }
}
