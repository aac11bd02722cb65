import AtelierProtocol
import JSON
import Support
import ServiceFixture
import Testing

@testable import Server

@Suite("Accounts and keys that Swift's strings call equal", .timeLimit(.minutes(5)))
struct ExactIdentityTests {
  private func end(_ service: TestService) async {
    service.host.closeInput()
    _ = await service.end()
  }

  @Test("accounts and keys that Swift calls equal are two, wherever they are named", arguments: HostileInput.equivalentTexts)
  func accounts(theirs: String, mine: String) async throws {
    let fixture = try ServiceFixture()
    let trusted = try fixture.serve([ScriptedProvider()])
    let made = try await trusted.host.call(
      1, "generate",
      ["recipe": "create", "prompt": "a boat", "account": .string(theirs), "idempotencyKey": .string(theirs)])
    let id = try #require(made?["result"]?["generationId"])
    // The same key, as Swift has it, is another one; of another account it would be in any case.
    let other = try await trusted.host.call(
      2, "generate",
      ["recipe": "create", "prompt": "a bridge", "account": .string(theirs), "idempotencyKey": .string(mine)])
    #expect(other?["result"]?["state"] == "succeeded")
    #expect(other?["result"]?["generationId"] != id)
    await end(trusted)

    let confined = try fixture.serve([ScriptedProvider()])
    _ = try await confined.host.call(1, "initialize", ["account": .string(mine)])
    let unseen: [(String, JSONValue)] = [
      ("status", ["generationId": id]), ("status", ["idempotencyKey": .string(theirs)]),
      ("cancel", ["generationId": id]), ("cancel", ["idempotencyKey": .string(theirs)]),
      ("history/get", ["generationId": id]), ("history/delete", ["generationId": id]),
      ("history/annotate", ["generationId": id, "favorite": true]), ("session/get", ["sessionId": id]),
      ("feedback/submit", ["generationId": id, "rating": 5]), ("regenerate", ["generationId": id]),
      ("generate", ["recipe": "headshot", "image": ["generationId": id]]),
      ("generate", ["recipe": "edit", "prompt": "x", "image": ["generationId": id]]),
    ]
    for (index, (method, params)) in unseen.enumerated() {
      let answer = try await confined.host.call(10 + index, method, params)
      #expect(answer?["error"]?["code"] == 404, "\(method)")
    }
    let named: [(String, JSONValue)] = [
      ("status", ["generationId": id]), ("cancel", ["generationId": id]), ("history", [:]),
      ("history/get", ["generationId": id]), ("history/delete", ["all": true]), ("session/list", [:]),
      ("usage/statistics", [:]), ("account/get", [:]), ("credits/balance", [:]), ("credits/history", [:]),
      ("generate", ["recipe": "create", "prompt": "x"]), ("credits/estimate", ["recipe": "create", "prompt": "x"]),
      ("queue/status", [:]), ("queue/pause", [:]), ("regenerate", ["generationId": id]), ("session/get", ["sessionId": id]),
    ]
    for (index, (method, params)) in named.enumerated() {
      var params = try #require(params.object)
      params["account"] = .string(theirs)
      let answer = try await confined.host.call(40 + index, method, .object(params))
      #expect(answer?["error"]?["data"]?["kind"] == "permission_denied", "\(method)")
    }
    #expect(try await confined.host.call(70, "history")?["result"]?["entries"] == [])
    #expect(
      try await confined.host.call(71, "history/delete", ["account": .string(mine), "all": true])?["result"]?["deleted"] == 0
    )
    await end(confined)

    let after = try fixture.serve([ScriptedProvider()])
    #expect(try await after.host.call(1, "history/get", ["generationId": id])?["result"] != nil)
    await end(after)
  }

  @Test("keys that Swift calls equal are told apart while a generation runs")
  func live() async throws {
    let gate = Gate()
    let service = try ServiceFixture().serve([ScriptedProvider(waitingAt: gate)])
    let (first, second) = HostileInput.equivalentTexts[0]
    try service.host.ask(
      1, "generate",
      ["recipe": "create", "prompt": "x", "account": "anna", "idempotencyKey": .string(first), "progress": false])
    await gate.hasSeen()
    let unknown = try await service.host.call(2, "cancel", ["account": "anna", "idempotencyKey": .string(second)])
    #expect(unknown?["error"]?["code"] == 404)
    let ended = try await service.host.call(3, "cancel", ["account": "anna", "idempotencyKey": .string(first)])
    #expect(ended?["result"]?["state"] == "cancelled")
    await end(service)
  }

  @Test("the account * is none: it is refused wherever one is named, but where all may be asked about")
  func everybody() async throws {
    let service = try ServiceFixture().serve([ScriptedProvider()])
    let refused: [(String, JSONValue)] = [
      ("initialize", [:]), ("generate", ["recipe": "create", "prompt": "x"]), ("status", ["generationId": "gen_x"]),
      ("account/get", [:]), ("credits/balance", [:]), ("credits/history", [:]),
      ("credits/estimate", ["recipe": "create", "prompt": "x"]),
      ("account/signIn", ["identity": ["provider": "apple", "subject": "1"]]), ("history/delete", ["all": true]),
      ("history/get", ["generationId": "gen_x"]), ("cancel", ["generationId": "gen_x"]),
      ("session/get", ["sessionId": "gen_x"]), ("image/prepare", ["image": ["path": "x"]]),
      ("regenerate", ["generationId": "gen_x"]),
    ]
    for (index, (method, params)) in refused.enumerated() {
      var params = try #require(params.object)
      params["account"] = "*"
      let error = try await service.host.call(index, method, .object(params))?["error"]
      #expect(error?["code"] == -32602, "\(method)")
      #expect(error?["data"]?["path"] == "/account", "\(method)")
    }
    for (index, method) in [
      "history", "session/list", "usage/statistics", "queue/status", "queue/pause", "queue/resume",
    ].enumerated() {
      #expect(try await service.host.call(50 + index, method, ["account": "*"])?["result"] != nil, "\(method)")
    }
    await end(service)
  }
}
