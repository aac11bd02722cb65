import AtelierProtocol
import Providers
import Store
import ServiceFixture
import Testing

@testable import Engine

@Suite("What is charged", .timeLimit(.minutes(3)))
struct ChargingTests {
  @Test("the charge is what was delivered: the answer, status, history and the ledger say the same")
  func success() async throws {
    let engine = try ServiceFixture().engine([ScriptedProvider(creditsPerImage: 1)])
    let result = try #require(try await engine.generations.generate(.picture(account: "anna"), for: Caller()).result)
    let credits = Credits(held: 1, charged: 1, released: 0, balanceAfter: 0)
    #expect(result.credits == credits)
    #expect(try await engine.status("gen_1")?.result?.credits == credits)
    #expect(try await engine.entry("gen_1")?.credits == credits)
    #expect(try await engine.credits(of: "anna") == [0, 0])
    #expect(engine.creditsTold == [[0, 1], [0, 0]])
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("the charge is part of the price where part of it was delivered")
  func partial() async throws {
    let provider = ScriptedProvider(creditsPerImage: 2) { request, _ in
      guard request.variation != 1 else { throw AtelierError(.contentBlocked, provider: "scripted") }
      return try ScriptedProvider.picture()
    }
    let engine = try ServiceFixture().engine([provider])
    try await engine.give(9, to: "anna")
    let result = try #require(
      try await engine.generations.generate(.picture(count: 4, account: "anna"), for: Caller()).result)
    #expect(result.state == .partial)
    #expect(result.credits == Credits(held: 8, charged: 6, released: 2, balanceAfter: 4))
    #expect(engine.creditsTold == [[2, 8], [4, 0]])
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("the charge is nothing when nothing was delivered")
  func failure() async throws {
    let engine = try ServiceFixture().engine([
      ScriptedProvider(creditsPerImage: 1) { _, _ in throw AtelierError(.contentBlocked, provider: "scripted") }
    ])
    await #expect(throws: AtelierError.self) {
      try await engine.generations.generate(.picture(account: "anna"), for: Caller())
    }
    #expect(try await engine.entry("gen_1")?.credits == Credits(held: 1, charged: 0, released: 1, balanceAfter: 1))
    #expect(engine.creditsTold == [[0, 1], [1, 0]])
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("the charge is nothing when the end cannot be made durable")
  func unwritableCopies() async throws {
    let fixture = try ServiceFixture()
    let folder = try fixture.temporary.makeFolder("out")
    let gate = Gate()
    let engine = try fixture.engine([ScriptedProvider(creditsPerImage: 1, waitingAt: gate)])
    let task = engine.generate(.picture(directory: folder, account: "anna"))
    await gate.hasSeen()
    try fixture.temporary.remove("out")
    gate.open()
    await #expect(throws: AtelierError.self) { try await task.value }
    #expect(try await engine.credits(of: "anna") == [1, 0])
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("a private generation is charged as well, of which nothing else is told")
  func isPrivate() async throws {
    let engine = try ServiceFixture().engine([ScriptedProvider(creditsPerImage: 1)])
    let result = try #require(
      try await engine.generations.generate(.picture(inline: true, account: "anna", private: true), for: Caller()).result)
    #expect(result.credits == Credits(held: 1, charged: 1, released: 0, balanceAfter: 0))
    let history = try await engine.engine.creditHistory(CreditsHistory(account: "anna"), for: Caller())
    #expect(history.entries.first?.amount == -1)
    #expect(history.entries.first?.prompt == nil)
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("the charge of a detached generation is told with its end")
  func detached() async throws {
    let engine = try ServiceFixture().engine([ScriptedProvider(creditsPerImage: 1)])
    _ = try await engine.generations.generate(.picture(account: "anna", detach: true), for: Caller())
    await engine.announcements.finish()
    #expect(
      engine.announcements.finished.first?.result?.credits
        == Credits(held: 1, charged: 1, released: 0, balanceAfter: 0))
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("a repeated key is charged once, however often it is sent", arguments: [true, false])
  func repeated(isRunning: Bool) async throws {
    let gate = Gate(isOpen: !isRunning)
    let provider = ScriptedProvider(creditsPerImage: 1, waitingAt: gate)
    let engine = try ServiceFixture().engine([provider])
    let first = engine.generate(.picture(key: "k", account: "anna"))
    if isRunning { await gate.hasSeen() } else { _ = try await first.value }
    let again = engine.generate(.picture(key: "k", account: "anna"))
    if isRunning {
      try await until { await engine.generations.waiterCount(of: "gen_1") == 2 }
      gate.open()
    }
    let result = try await first.value.result
    #expect(result?.credits == Credits(held: 1, charged: 1, released: 0, balanceAfter: 0))
    #expect(try await again.value.result == result)
    #expect(provider.requests.count == 1)
    #expect(engine.creditsTold == [[0, 1], [0, 0]])
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("the machine's own account is charged nothing, of which hosts are told nothing")
  func owner() async throws {
    let engine = try ServiceFixture().engine([ScriptedProvider(creditsPerImage: 1)])
    let result = try #require(try await engine.generations.generate(.picture(), for: Caller()).result)
    #expect(result.credits == Credits(balanceAfter: nil))
    #expect(engine.creditsTold == [])
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("the charge is never more than there was, however many ask at once in however many processes")
  func racing() async throws {
    let fixture = try ServiceFixture()
    var configuration = EngineConfiguration()
    configuration.credits.limits = []
    let engines = try (0..<3).map { _ in
      try fixture.engine([ScriptedProvider(creditsPerImage: 1)], configuration: configuration)
    }
    try await engines[0].give(4, to: "anna")
    let asked = (0..<12).map { engines[$0 % 3].generate(.picture("picture \($0)", account: "anna")) }
    var charged = 0
    for task in asked {
      switch await task.result {
      case .success(let answer): charged += answer.result?.credits.charged ?? 0
      case .failure(let error): #expect((error as? AtelierError)?.kind == .insufficientCredits)
      }
    }
    #expect(charged == 5)
    #expect(try await engines[0].credits(of: "anna") == [0, 0])
    for engine in engines { try await engine.leaveWithTheLedgerInOrder() }
  }
}
