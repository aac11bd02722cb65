import AtelierProtocol
import Engine
import Imaging
import JSON
import ServiceFixture
import Testing

@testable import Server

@Suite("From initialize to exit", .timeLimit(.minutes(3)))
struct LifecycleTests {
  private func service() throws -> TestService { try ServiceFixture().serve([ScriptedProvider()]) }

  private func end(_ service: TestService) async {
    service.host.closeInput()
    _ = await service.end()
  }

  @Test("any method may come first")
  func uninitialized() async throws {
    let service = try service()
    #expect(try await service.host.call(1, "ping")?["result"] == [:])
    #expect(try await service.host.call(2, "providers/list")?["result"]?["providers"]?[0]?["id"] == "scripted")
    await end(service)
  }

  @Test("the answer to initialize tells what the service is, and members of other protocols are taken")
  func initialize() async throws {
    let service = try service()
    let answer = try await service.host.call(
      1, "initialize",
      [
        "processId": nil, "rootUri": nil, "trace": "off", "workspaceFolders": [],
        "clientInfo": ["name": "editor", "version": "1", "vendor": "x"],
        "capabilities": ["textDocument": ["hover": [:]], "progress": true],
      ])
    let result = try #require(answer?["result"])
    #expect(result["protocolVersion"] == "1")
    #expect(result["serverInfo"]?["name"] == "atelier")
    #expect(result["serverInfo"]?["version"]?.string == Version.current)
    #expect(result["limits"]?["maxMessageBytes"] == 67_108_864)
    #expect(result["limits"]?["maxInFlight"] == 1024)
    #expect(result["limits"]?["maxImageBytes"] == 7_000_000)
    #expect(result["providers"] == ["scripted"])
    try service.host.notify("initialized")
    #expect(try await service.host.call(2, "ping")?["result"] == [:])
    await end(service)
  }

  @Test("a second initialize is refused and changes nothing")
  func twice() async throws {
    let service = try service()
    _ = try await service.host.call(1, "initialize", ["account": "alice"])
    #expect(try await service.host.call(2, "initialize", ["account": "bob"])?["error"]?["code"] == -32600)
    let refused = try await service.host.call(3, "account/get", ["account": "bob"])
    #expect(refused?["error"]?["code"] == 403)
    #expect(try await service.host.call(4, "account/get", ["account": "alice"])?["result"]?["account"] == "alice")
    await end(service)
  }

  @Test("an initialize with a bad member is refused, and a good one may follow")
  func badThenGood() async throws {
    let service = try service()
    let refused = try await service.host.call(1, "initialize", ["account": 5])
    #expect(refused?["error"]?["code"] == -32602)
    #expect(refused?["error"]?["data"]?["path"] == "/account")
    #expect(try await service.host.call(2, "initialize", ["account": "alice"])?["result"] != nil)
    await end(service)
  }

  @Test("an account named in initialize confines the connection: others' things are not found, naming them is refused")
  func confinement() async throws {
    let fixture = try ServiceFixture()
    let trusted = try fixture.serve([ScriptedProvider()])
    let made = try await trusted.host.call(
      1, "generate", ["recipe": "create", "prompt": "a boat", "account": "alice", "idempotencyKey": "k"])
    let id = try #require(made?["result"]?["generationId"])
    await end(trusted)

    let confined = try fixture.serve([ScriptedProvider()])
    _ = try await confined.host.call(1, "initialize", ["account": "bob"])
    let unseen: [(String, JSONValue)] = [
      ("status", ["generationId": id]), ("cancel", ["generationId": id]), ("history/get", ["generationId": id]),
      ("history/delete", ["generationId": id]), ("status", ["idempotencyKey": "k"]),
      ("generate", ["recipe": "headshot", "image": ["generationId": id]]),
    ]
    for (index, (method, params)) in unseen.enumerated() {
      let error = try await confined.host.call(10 + index, method, params)?["error"]
      #expect(error?["code"] == 404, "\(method)")
      #expect(error?["data"]?["kind"] == "not_found", "\(method)")
    }
    let named: [(String, JSONValue)] = [
      ("status", ["generationId": id, "account": "alice"]), ("cancel", ["generationId": id, "account": "alice"]),
      ("history", ["account": "alice"]), ("history", ["account": "*"]), ("account/get", ["account": "alice"]),
      ("history/delete", ["account": "alice", "all": true]),
      ("generate", ["recipe": "create", "prompt": "x", "account": "alice"]),
    ]
    for (index, (method, params)) in named.enumerated() {
      let error = try await confined.host.call(30 + index, method, params)?["error"]
      #expect(error?["code"] == 403, "\(method)")
      #expect(error?["data"]?["kind"] == "permission_denied", "\(method)")
    }
    #expect(try await confined.host.call(50, "history")?["result"]?["entries"] == [])
    await end(confined)
  }

  @Test("a host is told whether previews can be marked", arguments: [true, false])
  func watermark(isNamed: Bool) async throws {
    var configuration = EngineConfiguration()
    if isNamed { configuration.watermark = try WatermarkFile(Fixture.bytes("images/alpha.png")) }
    let service = try ServiceFixture().serve([ScriptedProvider()], configuration: configuration)
    let initialized = try await service.host.call(1, "initialize")?["result"]
    #expect(initialized?["capabilities"]?["watermark"] == .bool(isNamed))
    await end(service)
  }

  @Test("muted notifications do not come, others do")
  func mute() async throws {
    let service = try service()
    _ = try await service.host.call(1, "initialize", ["capabilities": ["mute": ["generation/progress"]]])
    try service.host.ask(2, "generate", ["recipe": "create", "prompt": "x", "detach": true])
    await end(service)
    let methods = Set(await service.host.rest().compactMap { $0["method"]?.string })
    #expect(methods == ["generation/finished"])
  }

  @Test("progress comes only when a request asks for it, without the capability")
  func noProgress() async throws {
    let service = try service()
    _ = try await service.host.call(1, "initialize", ["capabilities": ["progress": false]])
    try service.host.ask(2, "generate", ["recipe": "create", "prompt": "x"])
    try service.host.ask(3, "generate", ["recipe": "create", "prompt": "y", "progress": true])
    await end(service)
    let asked = await service.host.rest().filter { $0["method"] == "generation/progress" }
      .map { $0["params"]?["requestId"] }
    #expect(!asked.isEmpty)
    #expect(asked.allSatisfy { $0 == 3 })
  }

  @Test("only exit and cancels are accepted after shutdown")
  func shutdown() async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let service = try fixture.serve([ScriptedProvider(waitingAt: gate)])
    try service.host.ask(1, "generate", ["recipe": "create", "prompt": "x", "progress": false])
    await gate.hasSeen()
    #expect(try await service.host.call(2, "shutdown") == ["jsonrpc": "2.0", "id": 2, "result": nil])
    for (index, method) in ["ping", "status", "history", "initialize", "shutdown", "nonsense"].enumerated() {
      #expect(try await service.host.call(10 + index, method)?["error"]?["code"] == -32600, "\(method)")
    }
    try service.host.notify("$/cancelRequest", ["id": 1])
    #expect(await service.host.answer(to: 1)?["result"]?["state"] == "cancelled")
    #expect(try await service.host.call(3, "cancel", ["generationId": "gen_1"])?["result"]?["state"] == "cancelled")
    try service.host.notify("exit")
    #expect(await service.exitStatus.value == 0)
    await end(service)
  }

  @Test("an exit without shutdown is a failure")
  func exit() async throws {
    let service = try service()
    try service.host.notify("exit")
    #expect(await service.exitStatus.value == 1)
    await end(service)
  }

  @Test("a detached generation of another account is not announced to a confined host")
  func confinedAnnouncements() async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    // A process that ends while two detached generations wait leaves them to the next one.
    let first = try fixture.serve([ScriptedProvider(maximumConcurrentImages: 1, waitingAt: gate)])
    _ = try await first.host.call(1, "generate", ["recipe": "create", "prompt": "x", "detach": true])
    await gate.hasSeen()
    for (index, account) in ["alice", "bob"].enumerated() {
      let params: JSONValue = ["recipe": "create", "prompt": "y", "detach": true, "account": .string(account)]
      #expect(try await first.host.call(2 + index, "generate", params)?["result"]?["state"] == "queued")
    }
    await first.engine.generations.abandon()
    await end(first)

    let second = try fixture.serve([ScriptedProvider()])
    _ = try await second.host.call(1, "initialize", ["account": "bob"])
    _ = try await second.host.call(2, "history")
    let step = Duration.milliseconds(EngineConfiguration().heartbeatMs / 2)
    let store = try await second.engine.engine.lazyStore.store()
    while try await !store.running(account: nil).isEmpty {
      if fixture.clock.sleepers(for: step) > 0 { fixture.clock.advance(by: step) }
      await Task.yield()
    }
    await end(second)
    let named = Set(await second.host.rest().compactMap { $0["params"]?["generationId"]?.string })
    #expect(named == ["gen_3"])
    #expect(try await second.engine.engine.lazyStore.store().generation("gen_2", account: nil)?.state == .succeeded)
  }
}
