import AtelierClient
import HTTPTypes
import JSON
import Testing

@testable import WebHost

@Suite("The interface")
struct RouteTests {
  /// Methods that pages and apps do not have, and why.
  private static let withheld: [String: String] = [
    "initialize": "the host's own connection", "shutdown": "the host's own connection", "rpc.discover": "openapi.json",
    "ping": "/healthz", "history/get": "GET /generations/{generation}", "history/export": "GET /history/export, as a file",
    "image/link": "GET /generations/{generation}/images/{index}, as bytes for the one who asks",
    "account/set": "the operator's", "credits/revoke": "the operator's",
  ]

  @Test("every method of the protocol has a route, or is withheld for a reason")
  func methods() throws {
    let document = OpenAPI.document
    #expect(document["openapi"] == "3.1.0")
    let served = Set(Routes.all.compactMap { $0.message?.method })
    let all = Set(ProtocolRegistry.requests.map { $0.method })
    #expect(all.subtracting(served) == Set(Self.withheld.keys))
    #expect(served.isSubset(of: all))
  }

  @Test("no two routes have the same method and path, and the document has each")
  func unique() throws {
    let names = Routes.all.map { "\($0.method) \($0.path)" }
    #expect(Set(names).count == names.count)
    let paths = try #require(OpenAPI.document["paths"]?.object)
    #expect(paths.values.reduce(0) { $0 + ($1.object?.count ?? 0) } == names.count)
    for route in Routes.all {
      let operation = try #require(paths[route.path]?[route.method.rawValue.lowercased()], "\(route.path)")
      #expect(operation["summary"]?.string?.isEmpty == false, "\(route.path)")
    }
  }

  @Test("the document has all that it refers to, and no member that the host decides")
  func references() throws {
    let document = OpenAPI.document
    let schemas = try #require(document["components"]?["schemas"]?.object)
    func visit(_ value: JSONValue) {
      if let reference = value["$ref"]?.string {
        #expect(schemas[String(reference.dropFirst("#/components/schemas/".count))] != nil, "\(reference)")
      }
      value.object?.values.forEach(visit)
      value.array?.forEach(visit)
    }
    visit(document)
    for path in try #require(document["paths"]?.object).values {
      for operation in path.object?.values ?? [] {
        let body = operation["requestBody"]?["content"]?["application/json"]?["schema"]?["properties"]?.object ?? [:]
        let query = (operation["parameters"]?.array ?? []).compactMap { $0["name"]?.string }
        for name in ["account", "detach", "private"] { #expect(body[name] == nil && !query.contains(name)) }
      }
    }
  }

  @Test("a param that the host decides is refused wherever it stands", arguments: [
    (["account": "anna"], "/account"), (["detach": false], "/detach"), (["private": true], "/private"),
    (["output": ["directory": "/tmp"]], "/output/directory"), (["output": ["inline": true]], "/output/inline"),
    (["image": ["path": "/etc/passwd"]], "/image/path"), (["image": ["data": "AAAA"]], "/image/data"),
    (["references": [["preparedId": "a"], ["path": "/etc/passwd"]]], "/references/*/path"),
    (["regenerate": ["generationId": "gen_1", "account": "anna"]], "/regenerate/account"),
    (["directory": "/tmp"], "/directory"), (["account": nil], "/account"),
  ] as [(JSONObject, String)])
  func hostsOwn(params: JSONObject, path: String) throws {
    let error = try #require(throws: WebError.self) { try Params.check(params) }
    #expect(error.status == 400 && error.details["path"] == .string(path))
  }

  @Test("a request with what people may say is taken")
  func allowed() throws {
    try Params.check([
      "recipe": "headshot", "image": ["preparedId": "prep_1"], "references": [["generationId": "gen_1", "index": 2]],
      "output": ["count": 2, "size": "1024"], "metadata": ["account": "x", "path": "y"],
    ])
  }

  @Test("every error of the service has a status of HTTP, its sentence and its kind", arguments: ErrorKind.allCases)
  func errors(kind: ErrorKind) throws {
    let error = WebError(AtelierError(kind, retryAfterMs: 1500))
    #expect((400...599).contains(error.status) && error.kind == kind.rawValue && !error.message.isEmpty)
    let body = error.body(at: Timestamp(milliseconds: 0))["error"]
    #expect(body?["code"] == .number(JSONNumber(error.status)))
    #expect((body?["retryAfterMs"] != nil) == error.isRetryable)
    #expect(error.retryAfterSeconds == (error.isRetryable ? 2 : nil))
  }

  @Test("a customer is not told what the operator pays or can do, at any depth")
  func customers() {
    let told: JSONValue = [
      "entries": [
        ["usage": ["costUsd": 1, "inputTokens": 2], "error": ["data": ["details": ["hint": "x", "reason": "y"]]]]
      ],
      "usdPerImage": 3,
    ]
    #expect(
      Params.forCustomers(told) == [
        "entries": [["usage": ["inputTokens": 2], "error": ["data": ["details": ["reason": "y"]]]]]
      ])
  }
}
