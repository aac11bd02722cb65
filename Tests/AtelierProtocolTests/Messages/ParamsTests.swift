import AtelierProtocol
import JSON
import Support
import Testing

@Suite("Params")
struct ParamsTests {
  private static let prompt =
    "a string of at most 8000 characters, without control characters other than tabs and line breaks"
  private static let longest = String(repeating: "é", count: 8_000)

  @Test(
    "params of generate are refused beyond their bounds, with the place and what is expected there",
    arguments: [
      ("prompt", .string(longest + "x"), "/prompt", prompt),
      ("prompt", "a\u{1}b", "/prompt", prompt),
      ("prompt", 5, "/prompt", prompt),
      ("references", [["path": "a"], ["path": "b"], ["path": "c"]], "/references", "at most 2 images"),
      (
        "references", [["path": "a"], ["path": ""]], "/references/1/path", "the path of a file, of 1 to 4096 characters"
      ),
      ("style", ["angle": 1.5], "/style/angle", "a number from -1 to 1, or left, front, right"),
      ("style", ["background": "beach"], "/style/background",
        "auto, professional, casual, white, transparent, keep, or a colour such as #1e90ff"),
      ("output", ["count": 0], "/output/count", "an integer from 1 to 4"),
      ("output", ["count": 5], "/output/count", "an integer from 1 to 4"),
      ("output", ["count": 1.5], "/output/count", "an integer from 1 to 4"),
      ("output", ["mode": "triple"], "/output/mode", "single or multiAngle"),
      ("output", ["directory": ""], "/output/directory", "a string of 1 to 4096 characters"),
      ("temperature", -0.1, "/temperature", "a number from 0 to 2"),
      ("temperature", 2.1, "/temperature", "a number from 0 to 2"),
      ("timeoutMs", 0, "/timeoutMs", "an integer from 1 to 3600000"),
      ("timeoutMs", 3_600_001, "/timeoutMs", "an integer from 1 to 3600000"),
      ("seed", -1, "/seed", "an integer from 0 to 4294967295"),
      ("idempotencyKey", "", "/idempotencyKey", "a string of 1 to 128 characters"),
      (
        "idempotencyKey", .string(String(repeating: "k", count: 129)), "/idempotencyKey",
        "a string of 1 to 128 characters"
      ),
      (
        "metadata", ["m": .string(String(repeating: "m", count: 4_089))], "/metadata",
        "an object of at most 4096 bytes as JSON"
      ),
      ("metadata", [], "/metadata", "an object of at most 4096 bytes as JSON"),
      ("provider", [], "/provider", "the id of a provider, or 1 to 8 different ids in order of preference"),
      ("provider", ["a", "a"], "/provider", "the id of a provider, or 1 to 8 different ids in order of preference"),
      ("limit", 51, "/limit", "an integer from 1 to 50"), ("limit", 0, "/limit", "an integer from 1 to 50"),
      ("language", "en_US", "/language", "the tag of a language, such as en or es-MX"),
      ("language", "", "/language", "the tag of a language, such as en or es-MX"),
      ("near", "", "/near", "a latitude and a longitude, or a string of 1 to 256 characters"),
      ("near", ["latitude": 91, "longitude": 0], "/near", "a latitude and a longitude, or a string of 1 to 256 characters"),
      ("near", 7, "/near", "a latitude and a longitude, or a string of 1 to 256 characters"),
      ("account", "", "/account", "an id of 1 to 128 characters"),
      ("detach", 1, "/detach", "true or false"),
      ("image", ["generationId": "g", "index": 4], "/image/index", "an integer from 0 to 3"),
      ("cache", "never", "/cache", "use or bypass"),
      ("recipe", "cake", "/recipe", "headshot, hairstyle, edit, create or places"),
      ("recipe", 5, "/recipe", "a string"),
    ] as [(String, JSONValue, String, String)])
  func bounds(member: String, value: JSONValue, path: String, expected: String) {
    var params: JSONObject = ["recipe": "headshot"]
    params[member] = value
    let failure = failure(Generate.self, .object(params))
    #expect(failure?.path == path)
    #expect(failure?.expected == expected)
  }

  @Test("params of generate are taken up to their bounds, and written as they were")
  func withinBounds() throws {
    let params: JSONValue = [
      "recipe": "hairstyle", "image": ["path": "a.png"], "references": [["path": "b"], ["preparedId": "p"]],
      "prompt": .string(Self.longest), "templateId": "bob",
      "output": ["mode": "single", "count": 4, "directory": "/d", "inline": true, "aspectRatio": "1:1", "size": "1K"],
      "provider": ["gemini", "openai"], "model": "m", "temperature": 2, "seed": 0, "timeoutMs": 3_600_000,
      "account": "anna", "idempotencyKey": .string(String(repeating: "k", count: 128)), "cache": "bypass",
      "whenOffline": "queue", "private": false, "detach": true, "progress": false,
      "metadata": ["m": .string(String(repeating: "m", count: 4_088))],
    ]
    let generate = try read(Generate.self, params)
    #expect(generate.references?.count == 2)
    #expect(generate.output?.count == 4)
    #expect(generate.provider?.ids == [.gemini, .openai])
    #expect(generate.private == false)
    #expect(try written(generate) == params)
  }

  @Test("params that nobody knows are refused, but for _meta")
  func unknown() {
    #expect(failure(Generate.self, ["recipe": "headshot", "promt": "x"])?.path == "/promt")
    #expect(failure(Generate.self, ["recipe": "headshot", "style": ["angel": 0]])?.path == "/style/angel")
    #expect(failure(Generate.self, ["recipe": "headshot", "_meta": ["a": 1], "style": ["_meta": 1]]) == nil)
    #expect(failure(Ping.self, ["x": 1])?.path == "/x")
    #expect(failure(Cancel.self, ["generationId": "g", "id": 1])?.path == "/id")
  }

  @Test(
    "params of cancel name exactly one generation",
    arguments: [
      ([:], "an object with generationId or idempotencyKey"),
      (["account": "a"], "an object with generationId or idempotencyKey"),
      (["generationId": "g", "idempotencyKey": "k"], "an object with generationId or idempotencyKey, not both"),
    ] as [(JSONValue, String)])
  func cancelTargets(params: JSONValue, expected: String) throws {
    #expect(failure(Cancel.self, params)?.path == "")
    #expect(expectation(Cancel.self, params) == expected)
    #expect(
      try read(Cancel.self, ["idempotencyKey": "k", "account": "a"])
        == Cancel(target: .idempotencyKey("k"), account: "a"))
  }

  @Test("params of status say what is asked about")
  func statusTargets() throws {
    #expect(try read(Status.self, [:]) == Status())
    #expect(
      expectation(Status.self, ["account": "a"]) == "an object with generationId or idempotencyKey beside account")
    #expect(try read(Status.self, ["generationId": "g"]) == Status(target: .id("g")))
    #expect(failure(Status.self, ["generationId": "g", "idempotencyKey": "k"]) != nil)
    #expect(failure(Status.self, ["idempotencyKey": ""])?.path == "/idempotencyKey")
    for status in [Status(), Status(target: .idempotencyKey("k"), account: "a")] {
      #expect(try read(Status.self, written(status)) == status)
    }
    #expect(try written(Status()) == [:])
  }

  @Test(
    "params of history/delete say exactly what is to be forgotten",
    arguments: [
      [:], ["account": "a"], ["all": true], ["generationId": "g", "all": true], ["account": "a", "all": false],
      ["generationId": "g", "account": "a", "all": true],
    ] as [JSONValue])
  func deletionTargets(params: JSONValue) throws {
    #expect(expectation(HistoryDelete.self, params) == "an object with generationId, or with account and all: true")
    #expect(try read(HistoryDelete.self, ["account": "a", "all": true]).target == .everything(of: "a"))
    let one = try read(HistoryDelete.self, ["generationId": "g", "account": "a", "all": false])
    #expect(one.target == .generation("g", account: "a"))
  }

  @Test(
    "params of history are bounded",
    arguments: [
      ("limit", 0, "an integer from 1 to 100"), ("limit", 101, "an integer from 1 to 100"),
      ("since", "yesterday", "a time such as 2026-11-21T05:26:00.123Z (RFC 3339)"),
      ("search", "", "a string of 1 to 500 characters"),
      ("state", "done", "queued, running, succeeded, partial, failed, cancelled, interrupted or expired"),
    ] as [(String, JSONValue, String)])
  func history(member: String, value: JSONValue, expected: String) {
    let failure = failure(History.self, .object([member: value]))
    #expect(failure?.path == "/\(member)")
    #expect(failure?.expected == expected)
  }

  @Test("params of initialize may hold whatever a language client sends")
  func initialize() throws {
    let params: JSONValue = [
      "processId": nil, "clientInfo": ["name": "editor"], "rootUri": nil, "locale": "en", "trace": "off",
      "capabilities": ["workspace": ["applyEdit": true], "mute": ["provider/changed"]],
    ]
    let initialize = try JSONValueDecoder(unknownMembers: .ignore).decode(Initialize.self, from: params)
    #expect(initialize.processId == nil)
    #expect(initialize.clientInfo == Initialize.ClientInfo(name: "editor"))
    #expect(initialize.capabilities?.mute == ["provider/changed"])
  }
}
