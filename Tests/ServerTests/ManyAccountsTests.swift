import AtelierProtocol
import Engine
import JSON
import Providers
import ServiceFixture
import Testing

@testable import Server

@Suite("A connection that serves many accounts", .timeLimit(.minutes(3)))
struct ManyAccountsTests {
  private static let rights = ConnectionRights(isTrusted: true, servesManyAccounts: true)
  private static let picture: JSONObject = ["recipe": "create", "prompt": "x"]
  private static let image: JSONObject = ["image": ["data": "AAAA"]]

  /// Every method that takes an account, with the params it needs besides.
  private static let methods: [(String, JSONObject)] = [
    ("generate", picture), ("credits/estimate", picture), ("history", [:]), ("history/get", ["generationId": "gen_1"]),
    ("history/annotate", ["generationId": "gen_1", "favorite": true]), ("history/delete", ["generationId": "gen_1"]),
    ("history/delete", ["all": true]), ("history/export", ["directory": "/tmp/x"]), ("session/list", [:]),
    ("session/get", ["sessionId": "gen_1"]), ("feedback/submit", ["generationId": "gen_1", "rating": 5]),
    ("usage/statistics", [:]), ("image/read", ["generationId": "gen_1"]), ("image/prepare", image),
    ("image/link", ["generationId": "gen_1"]),
    ("regenerate", ["generationId": "gen_1"]), ("queue/status", [:]), ("queue/pause", [:]), ("queue/resume", [:]),
    ("cancel", ["generationId": "gen_1"]), ("account/get", [:]), ("credits/balance", [:]), ("credits/history", [:]),
    ("account/signIn", ["identity": ["provider": "email", "subject": "x"]]), ("account/set", ["tier": "free"]),
    ("credits/grant", ["amount": 1, "reason": "x", "idempotencyKey": "k"]),
    ("credits/revoke", ["amount": 1, "reason": "x", "idempotencyKey": "k"]),
    ("credits/purchase", ["platform": "apple", "signedTransaction": "a.b.c"]),
  ]

  @Test("a connection for many accounts refuses the machine's own account and * in every method", arguments: methods)
  func reserved(method: String, params: JSONObject) async throws {
    let service = try ServiceFixture().serve([ScriptedProvider()], rights: Self.rights)
    for (id, account) in ["owner", "*"].enumerated() {
      var params = params
      params["account"] = .string(account)
      let error = try await service.host.call(id, method, .object(params))?["error"]
      let kind = error?["data"]?["kind"]
      #expect(
        kind == "permission_denied" || account == "*" && error?["code"] == -32602, "\(method) \(account): \(error ?? .null)")
      if account == "*", error?["code"] == -32602 { #expect(error?["data"]?["path"] == "/account") }
    }
    service.host.closeInput()
    _ = await service.end()
  }

  @Test("a connection for many accounts refuses what names no account where that would be the machine's own", arguments: [
    "generate", "credits/estimate", "history", "session/list", "usage/statistics", "queue/status", "queue/pause",
    "account/get", "credits/balance", "credits/history", "history/get", "history/annotate", "history/delete", "regenerate",
    "cancel", "image/read", "image/link", "session/get", "feedback/submit", "status", "generation/watch",
  ])
  func missing(method: String) async throws {
    let service = try ServiceFixture().serve([ScriptedProvider()], rights: Self.rights)
    let params = Self.methods.first { $0.0 == method }?.1 ?? ["generationId": "gen_1"]
    let error = try await service.host.call(1, method, .object(params))?["error"]
    #expect(error?["data"]?["kind"] == "permission_denied")
    #expect(error?["data"]?["details"]?["hint"]?.string?.contains("--multi-account") == true)
    service.host.closeInput()
    _ = await service.end()
  }

  @Test("a connection for many accounts refuses to be confined to the machine's own account, and takes a customer's")
  func confined() async throws {
    let service = try ServiceFixture().serve([ScriptedProvider()], rights: Self.rights)
    #expect(
      try await service.host.call(1, "initialize", ["account": "owner"])?["error"]?["data"]?["kind"] == "permission_denied")
    #expect(try await service.host.call(2, "initialize", ["account": "anna"])?["result"] != nil)
    #expect(try await service.host.call(3, "account/get")?["result"]?["account"] == "anna")
    service.host.closeInput()
    _ = await service.end()
  }

  @Test(
    "a connection for many accounts reads about accounts without making any; others make them by it",
    arguments: [true, false])
  func reading(isMany: Bool) async throws {
    let service = try ServiceFixture().serve(
      [ScriptedProvider(creditsPerImage: 1)], rights: ConnectionRights(servesManyAccounts: isMany))
    let reads: [(String, JSONObject)] = [
      ("account/get", [:]), ("credits/balance", [:]), ("credits/history", [:]), ("credits/estimate", Self.picture),
      ("history", [:]), ("session/list", [:]), ("usage/statistics", [:]), ("queue/status", [:]),
    ]
    for (id, (method, params)) in reads.enumerated() {
      var params = params
      params["account"] = .string("anna \(id)")
      let result = try await service.host.call(id, method, .object(params))?["result"]
      #expect(result != nil, "\(method)")
      if let balance = result?["balance"] ?? (method == "credits/balance" ? result : nil) {
        #expect(balance["available"] == 1 && balance["tier"] == "guest")
      }
      let isKnown = try await service.engine.engine.lazyStore.store().isKnown(AccountID(rawValue: "anna \(id)"))
      #expect(isKnown == (!isMany && id < 4), "\(method)")
    }
    _ = try await service.host.call(
      20, "generate", ["recipe": "create", "prompt": "x", "account": "anna 0", "progress": false])
    #expect(try await service.engine.engine.lazyStore.store().isKnown("anna 0"))
    service.host.closeInput()
    _ = await service.end()
  }
}
