import JSON
import JSONRPC
import Testing

@testable import MCP

@Suite("The era of a request")
struct EraTests {
  private static let version = "io.modelcontextprotocol/protocolVersion"
  private static let capabilities = "io.modelcontextprotocol/clientCapabilities"

  private func call(_ meta: JSONValue?, method: String = "tools/list", in session: Session? = nil) throws -> Call {
    var params = JSONObject()
    params["_meta"] = meta
    return try Call(Request(id: 1, method: method, params: params), in: session)
  }

  @Test("the era of a request is modern when the request names the version and the client's capabilities")
  func modern() throws {
    let call = try call([Self.version: "2026-07-28", Self.capabilities: [:], "progressToken": 7])
    #expect(call.era == .modern)
    #expect(call.progressToken == 7)
    #expect(call.client == ClientCapabilities())
  }

  @Test("the era of a request is modern in a session that initialize began, if the request says so")
  func mixed() throws {
    let session = Session(version: .june2025, client: ClientCapabilities())
    #expect(try call([Self.version: "2026-07-28", Self.capabilities: [:]], in: session).era == .modern)
    #expect(try call(["progressToken": "p"], in: session).era == .legacy(.june2025))
    #expect(try call(nil, in: session).era == .legacy(.june2025))
  }

  @Test(
    "a request with an incomplete era is refused",
    arguments: [
      [version: "2026-07-28"], [capabilities: [:]], [version: 5, capabilities: [:]],
      [version: "2026-07-28", capabilities: 1], [:],
    ] as [JSONValue])
  func incomplete(meta: JSONValue) {
    #expect(throws: ResponseError.self) { try call(meta) }
    do { _ = try call(meta) } catch { #expect((error as? ResponseError)?.code == -32602) }
  }

  @Test("a request of an unknown version is refused with the known ones")
  func unknown() {
    #expect(throws: ResponseError.unsupportedVersion("1900-01-01")) {
      try call([Self.version: "1900-01-01", Self.capabilities: [:]])
    }
  }

  @Test("a connection before initialize allows a ping, and nothing else")
  func ping() throws {
    #expect(try call(nil, method: "ping").era == .legacy(.latest))
    #expect(throws: ResponseError.self) { try call(nil, method: "tools/call") }
  }

  @Test("an initialize with a known version is answered with it, one with an unknown version with the latest")
  func negotiation() {
    for version in LegacyVersion.allCases { #expect(LegacyVersion(answering: version.rawValue) == version) }
    #expect(LegacyVersion(answering: "2026-07-28") == .november2025)
    #expect(LegacyVersion(answering: "") == .november2025)
  }

  @Test(
    "a request's era tells whether the client asks its person",
    arguments: [
      (["elicitation": [:]], true), (["elicitation": ["form": [:], "url": [:]]], true),
      (["elicitation": ["url": [:]]], false), (["elicitation": true], false), ([:], false), ("forms", false),
    ] as [(JSONValue, Bool)])
  func forms(declared: JSONValue, hasForms: Bool) {
    #expect(ClientCapabilities(declared).hasForms == hasForms)
  }

  @Test("a question names its kind where the version has kinds")
  func kindsOfQuestion() {
    let known = LegacyVersion.allCases.map { Era.legacy($0).namesKindOfQuestion }
    #expect(known == [false, false, false, true])
    #expect(Era.modern.namesKindOfQuestion)
  }

  @Test("a method of one era does not exist in the other")
  func methods() {
    let modern = Method.all.filter { !$0.exists(in: .legacy(.latest)) }.map(\.name)
    #expect(modern == ["server/discover", "tasks/get", "tasks/update", "tasks/cancel"])
    #expect(Method.all.filter { !$0.exists(in: .modern) }.map(\.name) == ["ping"])
  }
}
