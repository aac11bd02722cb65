import AtelierProtocol
import Engine
import JSON
import Providers
import ServiceFixture
import Testing

@testable import Server

@Suite("Accounts and credits over the wire", .timeLimit(.minutes(3)))
struct CreditsTests {
  private static let identity: JSONValue = ["provider": "email", "subject": "anna@example.org"]
  private static let picture: JSONValue = ["recipe": "create", "prompt": "x", "account": "anna", "progress": false]

  private func serve(_ provider: ScriptedProvider = ScriptedProvider(creditsPerImage: 1)) throws -> TestService {
    try ServiceFixture().serve([provider], rights: ConnectionRights(isTrusted: true))
  }

  /// Ends the service; the ledger is in order until then.
  private func end(_ service: TestService) async throws {
    #expect(try await service.engine.engine.lazyStore.store().auditLedger() == [])
    service.host.closeInput()
    _ = await service.end()
  }

  @Test("a bad param is refused with where it is and what was expected", arguments: [
    ("account/get", ["account": 5], "/account"),
    ("account/get", ["name": "anna"], "/name"),
    ("account/signIn", [:], "/account"),
    ("account/signIn", ["account": "anna"], "/identity"),
    ("account/signIn", ["account": "anna", "identity": ["provider": "E Mail", "subject": "x"]], "/identity/provider"),
    ("account/signIn", ["account": "anna", "identity": ["provider": "email", "subject": ""]], "/identity/subject"),
    ("account/signIn", ["account": "", "identity": identity], "/account"),
    ("credits/balance", ["account": ""], "/account"),
    ("credits/history", ["limit": 0], "/limit"),
    ("credits/history", ["limit": 101], "/limit"),
    ("credits/history", ["account": "anna", "cursor": "not one of ours"], "/cursor"),
    ("credits/history", ["cursor": "not one of ours"], "/cursor"),
    ("credits/estimate", [:], "/recipe"),
    ("credits/estimate", ["recipe": "portrait"], "/recipe"),
    ("credits/estimate", ["recipe": "create", "prompt": "x", "output": ["count": 5]], "/output/count"),
    ("credits/estimate", ["recipe": "create", "prompt": "x", "colour": "red"], "/colour"),
    ("credits/products", ["platform": "apple"], "/platform"),
    ("credits/grant", ["amount": 1, "reason": "x", "idempotencyKey": "k"], "/account"),
    ("credits/grant", ["account": "*", "amount": 1, "reason": "x", "idempotencyKey": "k"], "/account"),
    ("credits/grant", ["account": "anna", "amount": 0, "reason": "x", "idempotencyKey": "k"], "/amount"),
    ("credits/grant", ["account": "anna", "amount": 1_000_001, "reason": "x", "idempotencyKey": "k"], "/amount"),
    ("credits/grant", ["account": "anna", "amount": "8", "reason": "x", "idempotencyKey": "k"], "/amount"),
    ("credits/grant", ["account": "anna", "amount": 1, "reason": " \n", "idempotencyKey": "k"], "/reason"),
    ("credits/grant", ["account": "anna", "amount": 1, "reason": "x"], "/idempotencyKey"),
    ("credits/revoke", ["account": "anna", "amount": 1, "reason": "x", "idempotencyKey": ""], "/idempotencyKey"),
    ("credits/revoke", ["account": "anna", "amount": 1, "reason": "x", "idempotencyKey": "k", "payment": ""], "/payment"),
    ("credits/revoke", ["account": "anna", "amount": 1.5, "reason": "x", "idempotencyKey": "k"], "/amount"),
    ("credits/revoke", ["account": "anna", "amount": 1, "reason": "x", "idempotencyKey": "k", "owe": 1], "/owe"),
    ("account/set", ["account": "anna"], "/tier"),
    ("account/set", ["tier": "free"], "/account"),
    ("account/set", ["account": "anna", "tier": "gold"], "/tier"),
    ("account/set", ["account": "anna", "tier": "owner"], "/tier"),
    ("account/set", ["account": "anna", "tier": "premium", "start": "today"], "/start"),
    ("account/set", ["account": "anna", "tier": "free", "start": "2026-11-01T00:00:00Z"], "/start"),
    ("account/set", ["account": "anna", "tier": "free", "idempotencyKey": ""], "/idempotencyKey"),
    ("status", ["metrics": "yes"], "/metrics"),
    ("credits/purchase", [:], "/platform"),
    ("credits/purchase", ["account": "anna", "platform": "ebay"], "/platform"),
    ("credits/purchase", ["account": "anna", "platform": "apple"], "/signedTransaction"),
    ("credits/purchase", ["platform": "apple", "signedTransaction": "a.b.c", "signature": "x"], "/signature"),
    ("credits/purchase", ["platform": "google", "purchaseData": "{}"], "/signature"),
    ("credits/purchase", ["platform": "google", "purchaseData": "", "signature": "x"], "/purchaseData"),
  ] as [(String, JSONValue, String)])
  func badParams(method: String, params: JSONValue, path: String) async throws {
    let service = try serve()
    let error = try #require(try await service.host.call(1, method, params)?["error"])
    #expect(error["code"] == -32602)
    #expect(error["data"]?["path"]?.string == path)
    #expect(error["data"]?["expected"]?.string?.isEmpty == false)
    try await end(service)
  }

  @Test("a connection confined to an account acts for that one only", arguments: [
    ("account/get", [:]), ("account/signIn", ["identity": identity]), ("credits/balance", [:]),
    ("credits/history", [:]), ("credits/estimate", ["recipe": "create", "prompt": "x"]),
    ("credits/purchase", ["platform": "apple", "signedTransaction": "a.b.c"])
  ] as [(String, JSONObject)])
  func confined(method: String, params: JSONObject) async throws {
    let service = try serve()
    _ = try await service.host.call(1, "initialize", ["account": "anna"])
    for (id, account) in [(2, "ben"), (3, "owner")] {
      var params = params
      params["account"] = .string(account)
      let error = try await service.host.call(id, method, .object(params))?["error"]
      #expect(error?["code"] == 403)
      #expect(error?["data"]?["kind"] == "permission_denied")
    }
    var own = params
    own["account"] = "anna"
    let answer = try await service.host.call(4, method, .object(own))
    #expect(answer?["error"]?["code"] != 403)
    if method == "credits/purchase" {
      #expect(answer?["error"]?["data"]?["details"]?["reason"] == "not_configured")
    } else {
      #expect(answer?["result"] != nil)
    }
    try await end(service)
  }

  @Test("a connection confined to an account that was merged is told what happens to the other one")
  func followed() async throws {
    let service = try serve()
    let engine = service.engine.engine
    _ = try await engine.signIn(
      AccountSignIn(account: "phone", identity: Identity(provider: "email", subject: "anna@example.org")), for: Caller())
    _ = try await service.host.call(1, "initialize", ["account": "slate"])
    _ = try await service.host.call(2, "account/get", [:])
    let merged = try await service.host.call(3, "account/signIn", ["account": "slate", "identity": Self.identity])
    // A confined connection merges nothing; its host has another one for that.
    #expect(merged?["error"]?["code"] == 403)
    let outcome = try await engine.signIn(
      AccountSignIn(account: "slate", identity: Identity(provider: "email", subject: "anna@example.org")), for: Caller())
    #expect(outcome.merged)
    let made = try await service.host.call(4, "generate", ["recipe": "create", "prompt": "x"])
    #expect(made?["result"]?["account"] == "phone")
    #expect(String(decoding: service.host.received, as: UTF8.self).contains("generation/progress"))
    // By the old name and by the present one.
    let id = try #require(made?["result"]?["generationId"])
    for (number, account) in [(5, "slate"), (6, "phone")] {
      let status = try await service.host.call(number, "status", ["generationId": id, "account": .string(account)])
      #expect(status?["result"]?["state"] == "succeeded", "\(account)")
    }
    try await end(service)
  }

  @Test("a service that was started for an account believes an identity only with a token")
  func proof() async throws {
    let service = try ServiceFixture().serve(
      [ScriptedProvider(creditsPerImage: 1)], rights: ConnectionRights(account: "anna"))
    let refused = try await service.host.call(1, "account/signIn", ["account": "anna", "identity": Self.identity])
    #expect(refused?["error"]?["data"]?["kind"] == "permission_denied")
    try await end(service)
  }

  @Test("a change is told before the answer it comes of: set aside, spent, given")
  func told() async throws {
    let service = try serve()
    try service.host.ask(1, "generate", Self.picture)
    var messages: [JSONValue] = []
    for _ in 0..<3 { messages.append(try #require(await service.host.next())) }
    try #require(messages.count > 2)
    #expect(messages[0]["params"] == ["account": "anna", "available": 0, "held": 1])
    #expect(messages[1]["params"] == ["account": "anna", "available": 0, "held": 0])
    #expect(messages[2]["result"]?["credits"] == ["held": 1, "charged": 1, "released": 0, "balanceAfter": 0])
    try service.host.ask(2, "account/signIn", ["account": "anna", "identity": Self.identity])
    let changed = try #require(await service.host.next())
    #expect(changed["method"] == "credits/changed" && changed["params"]?["available"] == 4)
    #expect(await service.host.next()?["result"]?["granted"] == 4)
    try await end(service)
  }

  @Test("a change is not told to a host that wants to hear of none, nor to one confined to another account", arguments: [
    ["capabilities": ["mute": ["credits/changed"]]], ["account": "ben"],
  ] as [JSONValue])
  func untold(initialize: JSONValue) async throws {
    let service = try serve()
    _ = try await service.host.call(1, "initialize", initialize)
    // Another connection of the same process would bring it about; here the engine itself does.
    let request = Generate.picture(account: "anna", progress: false)
    _ = try await service.engine.generations.generate(request, for: Caller())
    #expect(service.engine.announcements.all.count >= 2)
    try service.host.ask(2, "credits/products")
    #expect(await service.host.next()?["id"] == 2)
    try await end(service)
  }

  @Test("nothing of it waits behind work, and account/get tells what runs and what is used")
  func whileWorking() async throws {
    let gate = Gate()
    let service = try serve(ScriptedProvider(creditsPerImage: 1, waitingAt: gate))
    try service.host.ask(1, "generate", Self.picture)
    await gate.hasSeen()
    let asked: [(String, JSONValue)] = [
      ("account/get", ["account": "anna"]), ("credits/balance", ["account": "anna"]),
      ("credits/history", ["account": "anna"]), ("credits/estimate", Self.picture), ("credits/products", [:]),
      ("account/signIn", ["account": "anna", "identity": Self.identity]),
    ]
    for (offset, (method, params)) in asked.enumerated() {
      #expect(try await service.host.call(10 + offset, method, params)?["result"] != nil, "\(method)")
    }
    let status = try await service.host.call(20, "account/get", ["account": "anna"])?["result"]
    #expect(status?["running"] == ["gen_1"])
    #expect(status?["balance"]?["held"] == 1 && status?["tier"] == "free")
    #expect(status?["limits"]?.array?.contains(["scope": "concurrent", "limit": 1, "used": 1]) == true)
    gate.open()
    #expect(await service.host.answer(to: 1)?["result"]?["credits"]?["charged"] == 1)
    try await end(service)
  }
}
