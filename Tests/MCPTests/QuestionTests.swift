import AtelierProtocol
import Engine
import JSON
import JSONRPC
import ServiceFixture
import Support
import Synchronization
import Testing

@testable import MCP

@Suite("A question to the person of a legacy client", .timeLimit(.minutes(2)))
struct QuestionTests {
  private static let call: JSONValue = [
    "name": "create_picture", "arguments": ["prompt": "a lighthouse", "count": 4], "_meta": ["progressToken": "p"],
  ]
  private static let agreement: JSONValue = ["action": "accept", "content": ["ok": true]]

  private let fixture: ServiceFixture
  private let client: TestHost
  private let life: Task<ConnectionEnd, Never>

  init() throws { try self.init(isServedHere: false, settings: MCPSettings()) }

  private init(isServedHere: Bool, settings: MCPSettings) throws {
    fixture = try ServiceFixture()
    let (mine, theirs) = InMemoryTransport.pair(capacity: 1 << 20)
    let announcing = Mutex<(@Sendable (Announcement) -> Void)?>(nil)
    let provider = ScriptedProvider(
      recipes: Recipe.allCases.filter { $0 != .places }, isServedHere: isServedHere, creditsPerImage: 1)
    let engine = try fixture.engine([provider]) { announcement in announcing.withLock { $0 }?(announcement) }
    let host = MCPHost(transport: mine, limits: ConnectionLimits(), settings: settings) { announce in
      announcing.withLock { $0 = announce }
      return engine.engine
    }
    client = TestHost(theirs)
    life = Task { await host.run() }
  }

  private func begin() async throws {
    _ = try await client.call(100, "initialize", ["protocolVersion": "2025-11-25", "capabilities": ["elicitation": [:]]])
  }

  /// The next message that is no progress.
  private func next() async -> JSONValue? {
    while let message = await client.next() {
      if message["method"] != "notifications/progress" { return message }
    }
    return nil
  }

  private func answer(_ question: JSONValue?, _ result: JSONValue) throws {
    let message: JSONValue = ["jsonrpc": "2.0", "id": question?["id"] ?? .null, "result": result]
    try client.send(message.serializedText)
  }

  private func end() async -> [JSONValue] {
    client.closeInput()
    let rest = await client.rest()
    _ = await life.value
    return rest
  }

  @Test("a question that is not answered in time is withdrawn, and the call says so")
  func unanswered() async throws {
    try await begin()
    try client.ask(1, "tools/call", Self.call)
    let first = [await client.next(), await client.next()]
    let question = first.first { $0?["method"] == "elicitation/create" } ?? nil
    let progress = first.first { $0?["method"] == "notifications/progress" } ?? nil
    #expect(progress?["params"]?["message"] == "Waiting for the person to agree to the cost")
    let wait = Duration.milliseconds(MCPSettings().waitMs)
    await fixture.clock.someoneSleeps(for: wait)
    fixture.clock.advance(by: wait)
    let messages = [await next(), await next()]
    let withdrawal = messages.first { $0?["method"] == "notifications/cancelled" } ?? nil
    #expect(withdrawal?["params"]?["requestId"] == question?["id"])
    let result = messages.first { $0?["id"] == 1 } ?? nil
    #expect(result?["result"]?["content"]?[0]?["text"]?.string?.contains("has not answered yet") == true)
    #expect(result?["result"]?["isError"] == true)
    // An answer that comes too late makes nothing.
    try answer(question, Self.agreement)
    #expect(await end().isEmpty)
  }

  @Test("a question is withdrawn when its call is cancelled")
  func cancelled() async throws {
    try await begin()
    try client.ask(1, "tools/call", Self.call)
    let question = await next()
    try client.notify("notifications/cancelled", ["requestId": 1])
    let withdrawal = await next()
    #expect(withdrawal?["method"] == "notifications/cancelled")
    #expect(withdrawal?["params"]?["requestId"] == question?["id"])
    #expect(await end().isEmpty)
  }

  @Test("a question is put once for the same call made twice, and its answer makes one generation")
  func shared() async throws {
    try await begin()
    try client.ask(1, "tools/call", Self.call)
    let question = await next()
    try client.ask(2, "tools/call", Self.call)
    while fixture.clock.sleepers(for: .milliseconds(MCPSettings().waitMs)) < 2 {
      try Task.checkCancellation()
      await Task.yield()
    }
    try answer(question, Self.agreement)
    let results = [await next(), await next()]
    let ids = results.map { $0?["result"]?["structuredContent"]?["generationId"] }
    #expect(Set(results.map { $0?["id"]?.int64 }) == [1, 2])
    #expect(ids[0] != nil && ids[0] == ids[1])
    #expect(await end().isEmpty)
  }

  @Test("a question is not put where nobody pays the provider, and speaks of one picture as one", arguments: [true, false])
  func free(isServedHere: Bool) async throws {
    var settings = MCPSettings()
    settings.askAboveCredits = 0
    let scene = try QuestionTests(isServedHere: isServedHere, settings: settings)
    try await scene.begin()
    try scene.client.ask(1, "tools/call", ["name": "create_picture", "arguments": ["prompt": "a lighthouse"]])
    let message = await scene.next()
    if isServedHere {
      #expect(message?["result"]?["structuredContent"]?["state"] == "succeeded")
    } else {
      #expect(message?["params"]?["message"] == "This makes a picture that the provider charges for. Continue?")
      try scene.answer(message, ["action": "decline"])
      #expect(await scene.next()?["result"]?["isError"] == true)
    }
    #expect(await scene.end().isEmpty)
  }
}
