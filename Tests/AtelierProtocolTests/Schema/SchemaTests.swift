import AtelierProtocol
import JSON
import Support
import Testing

@Suite("The schema")
struct SchemaTests {
  private static let document = Result { try SchemaExport.jsonSchema() }
  private let checker: SchemaChecker

  init() throws { checker = SchemaChecker(document: try Self.document.get()) }

  private func accepts(_ value: JSONValue, _ definition: String) throws -> Bool {
    try checker.accepts(value, ["$ref": .string("#/$defs/\(definition)")])
  }

  @Test("accepts the example of every message and of every answer")
  func examples() throws {
    for message in ProtocolRegistry.requests { try checkExamples(of: message) }
    for message in ProtocolRegistry.notificationsFromHost { try checkExample(of: message, "HostMessage") }
    for message in ProtocolRegistry.notificationsToHost { try checkExample(of: message, "ServiceMessage") }
  }

  private func checkExamples<M: RequestMessage>(of type: M.Type) throws {
    #expect(!type.examples.isEmpty)
    for example in type.examples {
      let params = try written(example.params)
      let call: JSONValue = ["jsonrpc": "2.0", "id": 1, "method": .string(type.method), "params": params]
      #expect(try accepts(call, "HostMessage"), "\(type.method): \(example.name)")
      let answer = try written(example.answer)
      let schema = try #require(checker.document["$defs"]?["Results"]?["properties"]?[type.method])
      #expect(try checker.accepts(answer, schema), "\(type.method): answer of \(example.name)")
      #expect(try read(M.self, params) == example.params)
      #expect(try read(M.Answer.self, answer) == example.answer)
    }
  }

  private func checkExample<N: NotificationMessage>(of type: N.Type, _ definition: String) throws {
    let params = try written(type.example)
    let message: JSONValue = ["jsonrpc": "2.0", "method": .string(type.method), "params": params]
    #expect(try accepts(message, definition), "\(type.method)")
    #expect(try read(N.self, params) == type.example)
  }

  @Test("and the decoder agree on what params are right, however they are changed", arguments: 0..<40 as Range<UInt64>)
  func agreement(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var verdicts: [Bool: Int] = [:]
    for _ in 0..<10 {
      for message in ProtocolRegistry.requests where message != Initialize.self {
        try compare(message, seed: seed, using: &random, &verdicts)
      }
    }
    #expect((verdicts[true] ?? 0) > 20 && (verdicts[false] ?? 0) > 20, "seed \(seed): \(verdicts)")
  }

  private func compare<M: RequestMessage>(
    _ type: M.Type, seed: UInt64, using random: inout SplitMix64, _ verdicts: inout [Bool: Int]
  ) throws {
    let calls = checker.document["$defs"]?["HostMessage"]?["oneOf"]?.array ?? []
    let call = calls.first { $0["properties"]?["method"]?["const"]?.string == type.method }
    let schema = try #require(call?["properties"]?["params"])
    for example in type.examples {
      var params = try written(example.params)
      for _ in 0..<Int.random(in: 1...3, using: &random) { params = Change.random(of: params, using: &random) }
      guard case .object = params else { continue }
      let refusal = failure(M.self, params)
      verdicts[refusal == nil, default: 0] += 1
      #expect(
        try checker.accepts(params, schema) == (refusal == nil),
        "seed \(seed): \(type.method) \(params): \(refusal?.message ?? "was read")")
    }
  }

  @Test("takes any way of giving no params, and an envelope of JSON-RPC only")
  func envelopes() throws {
    for params in [nil, [], [:]] as [JSONValue] {
      #expect(try accepts(["jsonrpc": "2.0", "id": 1, "method": "ping", "params": params], "HostMessage"))
    }
    #expect(try accepts(["jsonrpc": "2.0", "id": "a", "method": "ping"], "HostMessage"))
    #expect(try !accepts(["jsonrpc": "1.0", "id": 1, "method": "ping"], "HostMessage"))
    #expect(try !accepts(["jsonrpc": "2.0", "method": "ping"], "HostMessage"))
    #expect(try !accepts(["jsonrpc": "2.0", "id": 1, "method": "generate"], "HostMessage"))
    #expect(try accepts(["jsonrpc": "2.0", "id": nil, "error": ["code": -32700, "message": "m"]], "ServiceMessage"))
    let error = AtelierError(.notFound).response(to: 7, at: Timestamp(milliseconds: 0))
    #expect(try accepts(["jsonrpc": "2.0", "id": 7, "error": error.json], "ServiceMessage"))
    #expect(try !accepts(["jsonrpc": "2.0", "id": 7, "result": 1, "error": error.json], "ServiceMessage"))
  }

  @Test("lets results grow: new values of enumerations and new members are right")
  func openResults() throws {
    let example = try written(GenerationProgress.example)
    var progress = try #require(example.object)
    progress["state"] = "paused"
    progress["mood"] = "good"
    #expect(try accepts(.object(progress), "GenerationProgressParams"))
    #expect(try !accepts(["recipe": "cake"], "GenerateParams"))
  }

  @Test("names every message once")
  func names() {
    let names = ProtocolRegistry.acceptedMethods + ProtocolRegistry.sentNotifications
    #expect(Set(names).count == names.count)
  }

  @Test("documents every member of every message and every value that comes back")
  func completeness() throws {
    let result = try #require(checker.document["$defs"]?["GenerateResult"]?["properties"]?.object)
    #expect(
      result.keys == [
        "generationId", "outcome", "recipe", "template", "provider", "model", "cached", "images", "text", "places",
        "warnings", "failures", "usage", "credits", "timings",
      ])
    let params = try #require(checker.document["$defs"]?["GenerateParams"])
    #expect(params["required"] == ["recipe"])
    #expect(
      params["properties"]?.object?.keys == [
        "recipe", "image", "references", "prompt", "style", "template", "output", "provider", "model", "temperature",
        "seed", "timeoutMs", "account", "from", "idempotencyKey", "cache", "whenOffline", "waitMs", "private",
        "detach", "progress", "metadata", "_meta",
      ])
    #expect(checker.document["$defs"]?["Credits"]?["properties"]?["balanceAfter"]?["type"] == ["integer", "null"])
    #expect(checker.document["$defs"]?["CancelParams"]?["properties"]?.object?.keys.count == 4)
  }
}

/// A small change to a JSON value, for trying what is still right.
private enum Change {
  static func random(of value: JSONValue, using random: inout SplitMix64) -> JSONValue {
    guard case .object(var object) = value else { return replacement(using: &random) }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: object[names.randomElement(using: &random) ?? "x"] = replacement(using: &random)
    case 1: object["_meta"] = replacement(using: &random)
    case 2:
      guard let name = object.keys.randomElement(using: &random) else { break }
      object[name] = nil
    default:
      guard let name = object.keys.randomElement(using: &random), let member = object[name] else { break }
      object[name] = Change.random(of: member, using: &random)
    }
    return .object(object)
  }

  private static let names = [
    "account", "generationId", "idempotencyKey", "index", "path", "data", "preparedId", "all", "limit", "count",
    "angle",
    "background", "seed", "temperature", "provider", "references", "inline", "detach", "surprise", "recipe", "metadata",
  ]

  /// Never null, which params may hold wherever they may lack a member, and never text that only a format forbids.
  private static func replacement(using random: inout SplitMix64) -> JSONValue {
    let values: [JSONValue] = [
      "", "left", "casual", "headshot", "2026-11-21T05:26:00.123Z", "AAAA", 0, 1, -1, 0.5, 4, 101, 5_000_000_000, true,
      false, [], ["ondevice", "gemini"], ["a", "a"], [:], ["path": "a.png"], ["generationId": "gen_1", "index": 2],
      ["data": "AAAA", "mimeType": "image/png"], [["path": "a"], ["path": "b"], ["path": "c"]],
    ]
    return values.randomElement(using: &random) ?? .bool(false)
  }
}
