import AtelierProtocol
import Encodings
import Engine
import JSON
import ServiceFixture
import Testing

@testable import Server

@Suite("What a confined connection is told", .timeLimit(.minutes(3)))
struct ConfinedConnectionTests {
  private static let picture: JSONObject = ["recipe": "create", "prompt": "x", "output": ["inline": true]]

  /// Asks for everything that names files where nothing is confined.
  private func converse(_ host: TestHost, account: JSONValue?) async throws {
    func params(_ members: JSONObject) -> JSONValue {
      var params = members
      if let account { params["account"] = account }
      return .object(params)
    }
    #expect(try await host.call(1, "generate", params(Self.picture))?["result"]?["images"]?[0]?["data"] != nil)
    #expect(
      try await host.call(2, "generate", params(["recipe": "create", "prompt": "y", "detach": true]))?["result"] != nil)
    _ = await host.notification("generation/finished")
    for (id, method, members) in [
      (3, "regenerate", ["generationId": "gen_1"]), (4, "status", ["generationId": "gen_1"]), (5, "history", [:]),
      (6, "history/get", ["generationId": "gen_1"]), (7, "session/list", [:]), (8, "session/get", ["sessionId": "gen_1"]),
      (9, "cancel", ["generationId": "gen_1"]),
    ] as [(Int, String, JSONObject)] {
      #expect(try await host.call(id, method, params(members)) != nil, "\(method)")
    }
    for (id, method, members) in [(10, "status", [:]), (11, "templates/list", [:])] as [(Int, String, JSONValue)] {
      #expect(try await host.call(id, method, members)?["result"] != nil, "\(method)")
    }
  }

  private func told(_ rights: ConnectionRights, account: JSONValue? = nil) async throws -> (text: String, path: String) {
    let fixture = try ServiceFixture()
    var configuration = EngineConfiguration()
    configuration.credits.isMetered = false
    let service = try fixture.serve([ScriptedProvider()], rights: rights, configuration: configuration)
    try await converse(service.host, account: account)
    service.host.closeInput()
    _ = await service.end()
    return (String(decoding: service.host.received, as: UTF8.self), fixture.temporary.path)
  }

  @Test("an answer to a confined connection contains no path of the service, whatever it asks", arguments: [
    ConnectionRights(account: "anna"), ConnectionRights(isConfined: true),
  ])
  func paths(rights: ConnectionRights) async throws {
    let (text, path) = try await told(rights)
    #expect(!text.contains(path), "\(text.split(separator: "\n").filter { $0.contains(path) })")
  }

  @Test("an answer to a confined connection keeps paths in the folders that the operator opened, also of thumbnails")
  func shown() throws {
    let access = HostAccess(read: .init(["/open"]))
    let encoder = JSONValueEncoder(in: .english, confined: true, to: access)
    let generation = Generation(
      generationId: "gen_1", state: .succeeded, recipe: .create, account: "anna", createdAt: Timestamp(milliseconds: 0),
      images: [
        GeneratedImage(
          index: 0, path: "/open/a.png", storedPath: "/data/a.png", mimeType: "image/png", width: 1, height: 1, bytes: 1,
          sha256: "")
      ], thumbnail: "/data/t.jpg")
    let told = try encoder.encode(generation)
    #expect(told["images"]?[0]?["path"] == "/open/a.png" && told["images"]?[0]?["storedPath"] == nil)
    #expect(told["images"]?[0]?["sha256"] == "" && told["thumbnail"] == nil)
    let template = Template(
      id: "t", name: "T", category: .short, prompt: "p", reference: "/data/r.png", thumbnail: "/open/t.png")
    let shown = try encoder.encode(TemplatesList.Result(templates: [template]))["templates"]?[0]
    #expect(shown?["reference"] == nil && shown?["thumbnail"] == "/open/t.png")
    #expect(try JSONValueEncoder(in: .english, confined: false, to: access).encode(template)["reference"] == "/data/r.png")
  }

  @Test("a confined connection is told less than others by the same questions")
  func others() async throws {
    let (text, path) = try await told(ConnectionRights())
    #expect(text.contains(path))
  }

  @Test("a confined connection may repeat the operator's account in initialize, and no other")
  func account() async throws {
    let service = try ServiceFixture().serve([ScriptedProvider()], rights: ConnectionRights(account: "anna"))
    #expect(try await service.host.call(1, "initialize", ["account": "ben"])?["error"]?["code"] == 403)
    #expect(try await service.host.call(2, "initialize", ["account": "anna"])?["result"] != nil)
    #expect(try await service.host.call(3, "account/get")?["result"]?["account"] == "anna")
    service.host.closeInput()
    _ = await service.end()
  }

  @Test(
    "credits are granted and tiers set by a trusted connection only",
    arguments: ["credits/grant", "credits/revoke", "account/set"])
  func grants(method: String) async throws {
    let params: JSONValue = method == "account/set"
      ? ["account": "anna", "tier": "premium"]
      : ["account": "anna", "amount": 1, "reason": "card", "idempotencyKey": "k"]
    for (rights, account, isAllowed) in [
      (ConnectionRights(), nil, false), (ConnectionRights(isTrusted: true), nil, true),
      (ConnectionRights(isTrusted: true), "anna", false), (ConnectionRights(account: "anna"), nil, false),
      (ConnectionRights(isConfined: true, isTrusted: true), nil, false),
    ] as [(ConnectionRights, JSONValue?, Bool)] {
      let service = try ServiceFixture().serve([ScriptedProvider()], rights: rights)
      if let account { _ = try await service.host.call(1, "initialize", ["account": account]) }
      if method == "credits/revoke" { _ = try await service.host.call(2, "account/get", ["account": "anna"]) }
      let answer = try await service.host.call(3, method, params)
      #expect((answer?["result"] != nil) == isAllowed, "\(rights)")
      let hint = answer?["error"]?["data"]?["details"]?["hint"]?.string
      if !isAllowed { #expect(hint?.contains("atelier serve --trusted") == true) }
      service.host.closeInput()
      _ = await service.end()
    }
  }
}
