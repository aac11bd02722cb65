import AtelierProtocol
import Encodings
import Engine
import Foundation
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
  func shown() {
    let isShown = { (path: String) in path.hasPrefix("/open/") }
    var generation = Generation(
      generationId: "gen_1", state: .succeeded, recipe: .create, account: "anna", createdAt: Timestamp(milliseconds: 0),
      images: [
        GeneratedImage(
          index: 0, path: "/open/a.png", storedPath: "/data/a.png", mimeType: "image/png", width: 1, height: 1, bytes: 1,
          sha256: "")
      ], thumbnail: "/data/t.jpg")
    generation = generation.hidingPaths(except: isShown)
    #expect(generation.images[0].path == "/open/a.png" && generation.images[0].storedPath == nil)
    #expect(generation.thumbnail == nil)
    let template = Template(
      id: "t", name: "T", category: .short, prompt: "p", reference: "/data/r.png", thumbnail: "/open/t.png")
    let shown = TemplatesList.Result(templates: [template]).hidingPaths(except: isShown).templates[0]
    #expect(shown.reference == nil && shown.thumbnail == "/open/t.png")
  }

  /// Whether the schema of an answer has, at any depth, a member that names a file, or an error, whose details may.
  private func namesFiles(_ schema: JSONValue, in definitions: JSONObject, seen: inout Set<String>) -> Bool {
    if let array = schema.array { return array.contains { namesFiles($0, in: definitions, seen: &seen) } }
    guard let object = schema.object else { return false }
    if let name = object["$ref"]?.string?.split(separator: "/").last.map(String.init), seen.insert(name).inserted {
      if name == "ErrorBody" { return true }
      if namesFiles(definitions[name] ?? [:], in: definitions, seen: &seen) { return true }
    }
    let members = Set(object["properties"]?.object?.map { $0.key } ?? [])
    return !members.isDisjoint(with: ["path", "storedPath", "thumbnail", "reference"])
      || object.contains { $0.key != "$ref" && namesFiles($0.value, in: definitions, seen: &seen) }
  }

  private func hidesPaths<Message: RequestMessage>(_: Message.Type) -> Bool { Message.Result.self is any PathHolding.Type }

  @Test("the answer of every method that has paths is rid of them")
  func everyAnswer() throws {
    let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    let schema = try JSONValue(parsing: [UInt8](Data(contentsOf: URL(fileURLWithPath: "\(folder)/protocol/schema.json"))))
    let definitions = try #require(schema["$defs"]?.object)
    let named = ProtocolRegistry.requests.filter { message in
      var seen: Set<String> = []
      return namesFiles(definitions["Results"]?["properties"]?[message.method] ?? [:], in: definitions, seen: &seen)
    }
    #expect(named.count >= 13)
    for message in named {
      // The folder of an export is the host's own, and one that the operator opened.
      #expect(hidesPaths(message) == (message != HistoryExport.self), "\(message.method)")
    }
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
      if !isAllowed { #expect(answer?["error"]?["message"]?.string?.contains("atelier serve --trusted") == true) }
      service.host.closeInput()
      _ = await service.end()
    }
  }
}
