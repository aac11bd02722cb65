import AtelierProtocol
import Testing

@testable import Store

@Suite("A paused queue")
struct QueuePauseTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  @Test("a paused queue holds back exactly the generations of the paused account, whoever claims, until it is resumed",
    arguments: ["anna", nil] as [AccountID?])
  func holdsBack(paused: AccountID?) async throws {
    let (store, other) = (try await fixture.open(), try await fixture.open())
    for account in ["anna", "bert", "anna"] as [AccountID] {
      _ = try await fixture.dying { _ = try await $0.accept(fixture.acceptance(account, isRequeueable: true)) }
    }
    _ = try await store.recover()
    try await other.setPaused(true, account: paused)
    for process in [store, other] { #expect(try await process.isPaused(account: "anna")) }
    #expect(try await store.isPaused(account: "bert") == (paused == nil))
    @Sendable func claim(_ store: Store) async throws -> AccountID? {
      try await store.claimNext(for: .gemini, includingUnclaimed: true)?.account
    }
    #expect(try await claim(store) == (paused == nil ? nil : "bert"))
    for process in [store, other] { #expect(try await claim(process) == nil) }
    try await store.setPaused(false, account: paused)
    #expect(try await claim(other) == "anna")
  }
}
