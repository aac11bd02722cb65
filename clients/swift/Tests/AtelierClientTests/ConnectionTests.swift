import JSON
import POSIX
import Support
import Testing

@testable import AtelierClient

@Suite("A connection", .timeLimit(.minutes(1)))
struct ConnectionTests {
  private let peer: ScriptedPeer

  init() throws { peer = try ScriptedPeer() }

  @Test("a service is greeted with what the options say")
  func greeting() async throws {
    let studio = try await peer.studio { options in
      options.account = "ada"
      options.locale = "es-MX"
      options.mute = [ProviderChanged.method]
      options.locationSearch = { _ in [] }
    }
    let greeting = try await peer.params(of: "initialize")
    #expect(greeting["account"] == "ada" && greeting["locale"] == "es-MX" && greeting["protocolVersion"] == "1")
    #expect(greeting["capabilities"] == ["mute": ["provider/changed"], "locationSearch": true])
    // The peer may be on another machine.
    #expect(greeting["processId"] == nil && greeting["clientInfo"]?["name"] == "atelier-swift")
    #expect(try await studio.initialization.serverInfo.version == "9")
    await studio.close()
  }

  @Test("a request that is cancelled is withdrawn and throws at once")
  func withdrawn() async throws {
    let studio = try await peer.studio()
    let request = Task { try await studio.send(Hold()) }
    _ = try await peer.params(of: "hold")
    request.cancel()
    #expect(await isCancelled { try await request.value })
    _ = try await peer.params(of: "$/cancelRequest")
    await studio.close()
  }

  @Test("a method that the service does not have is an error of that kind")
  func unknownMethod() async throws {
    let studio = try await peer.studio()
    let error = await failure { try await studio.send(StylesList()) }
    #expect(error?.clientKind == .methodNotFound && error?.code == -32601)
    await studio.close()
  }

  @Test("a request that is longer than the service takes is not sent")
  func tooLong() async throws {
    let studio = try await peer.studio()
    let long = Generate.create(String(repeating: "a", count: 2_000_000))
    #expect(await failure { try await studio.send(long) }?.clientKind == .invalidRequest)
    #expect(await failure { try await studio.generate(long).result }?.clientKind == .invalidRequest)
    _ = try await studio.send(Ping())
    await studio.close()
  }

  @Test("the end of the service's output fails what is in flight and what comes later")
  func endOfOutput() async throws {
    let studio = try await peer.studio()
    let held = Task { try await studio.send(Hold()) }
    _ = try await peer.params(of: "hold")
    let error = await failure { try await studio.generate(.create("end of output")).result }
    #expect(error?.clientKind == .connectionLost)
    #expect(await failure { try await held.value }?.clientKind == .connectionLost)
    #expect(await failure { try await studio.send(Ping()) }?.clientKind == .connectionLost)
    #expect(await failure { try await studio.generate(.create("x")).result }?.clientKind == .connectionLost)
    await studio.close()
  }

  @Test("a line that is no message ends the connection with an error that says so")
  func garbage() async throws {
    let studio = try await peer.studio()
    let error = await failure { try await studio.generate(.create("garbage")).result }
    #expect(error?.clientKind == .protocolError)
    #expect(await failure { try await studio.send(Ping()) }?.clientKind == .protocolError)
    await studio.close()
  }

  @Test("a peer that reads late gets every request")
  func slowReader() async throws {
    // Greeted by nobody: its first answers come once it reads.
    let slow = try ScriptedPeer(isReading: false)
    async let starting = slow.studio()
    let prompt = String(repeating: "a", count: 1_000_000)
    slow.startReading()
    let studio = try await starting
    let states = try await withThrowingTaskGroup(of: GenerationState.self) { group in
      for number in 0..<10 {
        group.addTask { try await studio.generate(.create("\(number) \(prompt)")).result.state }
      }
      return try await group.reduce(into: [GenerationState]()) { $0.append($1) }
    }
    #expect(states == Array(repeating: .succeeded, count: 10))
    await studio.close()
  }

  @Test("a host that reads late loses nothing")
  func slowHost() async throws {
    let studio = try await peer.studio()
    let generations = (0..<4).map { _ in studio.generate(.create("much progress")) }
    for generation in generations { #expect(try await generation.result.state == .succeeded) }
    await studio.close()
  }

  @Test("a studio that is closed refuses everything, and may be closed again")
  func closed() async throws {
    let studio = try await peer.studio()
    await studio.close()
    await studio.close(cancelling: true)
    #expect(await failure { try await studio.send(Ping()) }?.clientKind == .connectionLost)
    #expect(await failure { try await studio.generate(.create("x")).result }?.clientKind == .connectionLost)
    var count = 0
    for await _ in studio.notifications(CreditsChanged.self) { count += 1 }
    #expect(count == 0)
  }

  @Test("a scope finishes what is in flight when it ends")
  func scopeEnds() async throws {
    var options = Studio.Options()
    options.service = peer.service
    let generation = try await withStudio(options) { $0.generate(.create("a lighthouse")) }
    #expect(generation.hasEnded)
    #expect(try await generation.result.state == .succeeded)
    #expect(peer.methods.suffix(1) == ["shutdown"])
  }

  @Test("a scope that throws cancels what is in flight")
  func scopeThrows() async throws {
    struct Mine: Error {}
    var options = Studio.Options()
    options.service = peer.service
    let handle = SharedState<GenerationHandle?>(nil)
    await #expect(throws: Mine.self) {
      try await withStudio(options) { studio in
        let generation = studio.generate(.create("until cancelled"))
        handle.change { $0 = generation }
        _ = try await generation.accepted
        throw Mine()
      }
    }
    #expect(try await handle.value?.result.state == .cancelled)
  }

  @Test("a task that is cancelled while a scope waits for what is in flight cancels that")
  func scopeCancelled() async throws {
    var options = Studio.Options()
    options.service = peer.service
    let scope = Task { [options] in
      try await withStudio(options) { studio in
        let generation = studio.generate(.create("until cancelled"))
        _ = try await generation.accepted
        return generation
      }
    }
    _ = try await peer.params(of: "generate")
    scope.cancel()
    if let generation = try? await scope.value {
      let state = try await generation.result.state
      #expect(state == .cancelled)
    }
    #expect(peer.methods.contains("shutdown"))
  }

  @Test("a service that does not answer is given up, and one that is not there is an error", .timeLimit(.minutes(1)))
  func silent() async throws {
    let silent = try ScriptedPeer(isGreeting: false)
    let error = await failure { try await silent.studio { $0.startLimit = .milliseconds(1) } }
    #expect(error?.clientKind == .connectionLost && error?.isRetryable == true)
    var options = Studio.Options()
    options.service = .socket("/nonexistent/socket")
    let unreachable = await failure { [options] in try await Studio(options) }
    #expect(unreachable?.clientKind == .connectionLost)
  }

  @Test("a start that is cancelled throws")
  func cancelledStart() async throws {
    let silent = try ScriptedPeer(isGreeting: false)
    let start = Task { try await silent.studio() }
    _ = try await silent.params(of: "initialize")
    start.cancel()
    #expect(await isCancelled { try await start.value })
  }

  @Test("notifications are kept up to a number, the newest")
  func notifications() async throws {
    let studio = try await peer.studio()
    let kept = studio.notifications(GenerationProgress.self, keeping: 10)
    #expect(try await studio.generate(.create("much progress")).result.state == .succeeded)
    await studio.close()
    var seen: [Int64] = []
    for await progress in kept { seen.append(progress.sequence) }
    #expect(seen == Array(291...300))
  }

  @Test("a question about a place is answered by the host, and withdrawn with its task")
  func locations() async throws {
    let asked = SharedState<[String]>([])
    let isWithdrawn = SharedState(false)
    let studio = try await peer.studio { options in
      options.locationSearch = { question in
        asked.change { $0.append(question.query) }
        if question.query == "nowhere" { throw CancellationError() }
        guard question.query != "for ever" else {
          while !Task.isCancelled { await Task.yield() }
          isWithdrawn.change { $0 = true }
          return []
        }
        return [FoundPlace(name: "Houndstooth Coffee", city: "Austin")]
      }
    }
    func ask(_ id: String, _ query: String) {
      peer.send([
        "jsonrpc": "2.0", "id": .string(id), "method": "location/search",
        "params": ["query": .string(query), "generationId": "gen_1"],
      ])
    }
    ask("a", "Houndstooth")
    ask("b", "nowhere")
    ask("c", "for ever")
    let answers = try await peer.received.wait { $0.contains { $0["id"] == "a" } && $0.contains { $0["id"] == "b" } }
    let found = answers.first { $0["id"] == "a" }?["result"]
    #expect(found == ["places": [["name": "Houndstooth Coffee", "city": "Austin"]]])
    #expect(answers.first { $0["id"] == "b" }?["error"] != nil)
    try await asked.wait { $0.contains("for ever") }
    peer.notify("$/cancelRequest", ["id": "c"])
    try await isWithdrawn.wait { $0 }
    await studio.close()
  }

  @Test("a question that this host does not answer is refused")
  func refusedQuestion() async throws {
    let studio = try await peer.studio()
    peer.send(["jsonrpc": "2.0", "id": "q", "method": "location/search", "params": ["query": "x", "generationId": "g"]])
    let answers = try await peer.received.wait { $0.contains { $0["id"] == "q" } }
    #expect(answers.first { $0["id"] == "q" }?["error"]?["code"] == -32601)
    await studio.close()
  }
}
