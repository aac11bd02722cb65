import AtelierProtocol
import Providers
import Store
import ServiceFixture
import Testing

@testable import Engine

@Suite("Requests that are too much", .timeLimit(.minutes(3)))
struct RefusalTests {
  @Test("a request beyond an account's credits is refused with ways to more; nothing is set aside, recorded or made")
  func credits() async throws {
    let provider = ScriptedProvider(creditsPerImage: 1)
    var configuration = EngineConfiguration()
    for (index, name) in ["month", "8", nil].enumerated() { configuration.credits.products[index].platforms.web = name }
    let engine = try ServiceFixture().engine([provider], configuration: configuration)
    let refusal = try await #require(throws: AtelierError.self) {
      try await engine.generations.generate(.picture(count: 2, account: "anna"), for: Caller())
    }
    let details = try #require(InsufficientCreditsDetails(refusal))
    #expect(details.required == 2 && details.available == 1)
    #expect(details.upgradeOptions.map(\.id) == ["premium_month", "bundle_8"], "the third is sold nowhere")
    #expect(details.upgradeOptions.map(\.credits) == [168, 8])
    #expect(details.upgradeOptions.map(\.price.amount) == ["9.99", "0.99"])
    #expect(provider.requests.isEmpty)
    #expect(engine.creditsTold == [])
    #expect(try await engine.credits(of: "anna") == [0, 0], "an account that was refused is not even known")
    #expect(try await engine.entry("gen_1") == nil)
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("a request beyond a guest's hour is refused with the time to wait, and `account/get` says until when")
  func hour() async throws {
    let fixture = try ServiceFixture()
    let engine = try fixture.engine([ScriptedProvider()])
    for _ in 0..<20 { _ = try await engine.generations.generate(.picture(account: "anna"), for: Caller()) }
    fixture.clock.advance(by: .seconds(600))
    let refusal = try await #require(throws: AtelierError.self) {
      try await engine.generations.generate(.picture(account: "anna"), for: Caller())
    }
    #expect(refusal.kind == .rateLimited && refusal.retryAfterMs == 3_000_000)
    #expect(LimitDetails(refusal)?.scope == "hour")
    let status = try await engine.engine.account(AccountGet(account: "anna"), for: Caller())
    #expect(status.cooldownUntil == LimitDetails(refusal)?.resetsAt)
    #expect(status.tier == .guest && status.running == [])
    #expect(status.limits.first { $0.scope == "hour" }?.used == 20)
    #expect(status.limits.first { $0.scope == "day" && $0.recipe == .create }?.used == 20)
    fixture.clock.advance(by: .seconds(3_000))
    _ = try await engine.generations.generate(.picture(account: "anna"), for: Caller())
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("a request beyond a day's limit is refused until midnight, UTC; another recipe is not held up")
  func day() async throws {
    let fixture = try ServiceFixture()
    let engine = try fixture.engine([ScriptedProvider()])
    let headshot = Generate(
      recipe: .headshot, image: .path(Fixture.path("images/plain.jpg")), style: Style(), account: "anna")
    for round in 0..<10 {
      if round == 5 { fixture.clock.advance(by: .seconds(61)) }
      _ = try await engine.generations.generate(headshot, for: Caller())
    }
    fixture.clock.advance(by: .seconds(61))
    let refusal = try await #require(throws: AtelierError.self) {
      try await engine.generations.generate(headshot, for: Caller())
    }
    #expect(refusal.kind == .dailyLimit)
    #expect(LimitDetails(refusal)?.resetsAt?.text == "2026-11-22T00:00:00.000Z")
    _ = try await engine.generations.generate(.picture(account: "anna"), for: Caller())
    _ = try await engine.generations.generate(
      Generate(recipe: .headshot, image: .path(Fixture.path("images/plain.jpg")), account: "ben"), for: Caller())
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("a request beside another one is refused until that has ended, in any process; a repeated key is none")
  func concurrent() async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let engine = try fixture.engine([ScriptedProvider(waitingAt: gate)])
    let other = try fixture.engine([ScriptedProvider()])
    let task = engine.generate(.picture(key: "k", account: "anna"))
    await gate.hasSeen()
    for one in [engine, other] {
      let refusal = try await #require(throws: AtelierError.self) {
        try await one.generations.generate(.picture(account: "anna"), for: Caller())
      }
      #expect(refusal.kind == .concurrentLimit)
      let status = try await one.engine.account(AccountGet(account: "anna"), for: Caller())
      #expect(status.running == ["gen_1"])
    }
    let again = engine.generate(.picture(key: "k", account: "anna"))
    try await until { await engine.generations.waiterCount(of: "gen_1") == 2 }
    gate.open()
    #expect(try await task.value == again.value)
    _ = try await other.generations.generate(.picture(account: "anna"), for: Caller())
    await engine.leave()
    try await other.leaveWithTheLedgerInOrder()
  }
}
