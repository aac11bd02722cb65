import AtelierProtocol
import JSON
import Support
import Testing

@testable import ProtocolDocuments

@Suite("The schema")
struct SchemaTests {
  private static let document = Result { try Project.documents.get().export.jsonSchema() }
  private let checker: SchemaChecker

  init() throws { checker = SchemaChecker(document: try Self.document.get()) }

  private func accepts(_ value: JSONValue, _ definition: String) throws -> Bool {
    try checker.accepts(value, ["$ref": .string("#/$defs/\(definition)")])
  }

  @Test("the schema accepts every message of every example, and the decoder reads the same")
  func examples() throws {
    for example in try Project.documents.get().export.examples {
      for message in example.messages {
        let definition = message.isFromHost ? "HostMessage" : "ServiceMessage"
        // A wrong call is shown for the sake of its error.
        let isWrong = message.isFromHost && example.messages.contains { $0.json["error"]?["code"] == -32602 }
        #expect(try accepts(message.json, definition) == !isWrong, "\(example.name): \(message.json)")
      }
      for message in ProtocolRegistry.requests where message.method == example.method { try check(example, of: message) }
      for message in ProtocolRegistry.notificationsToHost where message.method == example.method {
        try check(example, of: message)
      }
    }
  }

  /// An answer without the marks of members that it leaves out.
  private func withoutRest(_ json: JSONValue) -> JSONValue {
    switch json {
    case .object(let object):
      .object(JSONObject(members: object.filter { $0.key != "…" }.map { ($0.key, withoutRest($0.value)) }))
    case .array(let elements): .array(elements.map(withoutRest))
    default: json
    }
  }

  private func check<M: RequestMessage>(_ example: Example, of type: M.Type) throws {
    guard let params = example.params, let result = example.result.map(withoutRest) else { return }
    #expect(failure(type, params) == nil, "\(example.name)")
    let schema = try #require(checker.document["$defs"]?["Results"]?["properties"]?[type.method])
    #expect(try checker.accepts(result, schema), "answer of \(example.name)")
    do {
      #expect(try written(read(M.Result.self, result)) == result, "answer of \(example.name)")
    } catch {
      Issue.record("answer of \(example.name): \(error)")
    }
  }

  private func check<N: NotificationMessage>(_ example: Example, of type: N.Type) throws {
    guard let params = example.params else { return }
    do { #expect(try written(read(type, params)) == params, "\(example.name)") } catch {
      Issue.record("\(example.name): \(error)")
    }
  }

  @Test(
    "the schema and the decoder agree on what params are right, however they are changed",
    arguments: 0..<40 as Range<UInt64>)
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
    for example in try Project.documents.get().export.examples where example.method == type.method {
      guard var params = example.params else { continue }
      for _ in 0..<Int.random(in: 1...3, using: &random) { params = Change.random(of: params, using: &random) }
      guard case .object = params else { continue }
      let refusal = failure(M.self, params)
      verdicts[refusal == nil, default: 0] += 1
      #expect(
        try checker.accepts(params, schema) == (refusal == nil),
        "seed \(seed): \(type.method) \(params): \(refusal?.message ?? "was read")")
    }
  }

  @Test("the schema takes any way of giving no params, and an envelope of JSON-RPC only")
  func envelopes() throws {
    for params in [nil, [], [:]] as [JSONValue] {
      #expect(try accepts(["jsonrpc": "2.0", "id": 1, "method": "ping", "params": params], "HostMessage"))
    }
    #expect(try accepts(["jsonrpc": "2.0", "id": "a", "method": "ping"], "HostMessage"))
    #expect(try !accepts(["jsonrpc": "1.0", "id": 1, "method": "ping"], "HostMessage"))
    #expect(try !accepts(["jsonrpc": "2.0", "method": "ping"], "HostMessage"))
    #expect(try !accepts(["jsonrpc": "2.0", "id": 1, "method": "generate"], "HostMessage"))
    let data: JSONValue = ["kind": "parse_error", "retryable": false]
    #expect(
      try accepts(
        ["jsonrpc": "2.0", "id": nil, "error": ["code": -32700, "message": "m", "data": data]], "ServiceMessage"))
    let error = AtelierError(.notFound).response(to: 7, at: Timestamp(milliseconds: 0))
    #expect(try accepts(["jsonrpc": "2.0", "id": 7, "error": error.json], "ServiceMessage"))
    #expect(try !accepts(["jsonrpc": "2.0", "id": 7, "result": 1, "error": error.json], "ServiceMessage"))
  }

  @Test("the schema lets results grow: new values of enumerations and new members are right")
  func openResults() throws {
    let examples = try Project.documents.get().export.examples
    var progress = try #require(examples.first { $0.method == GenerationProgress.method }?.params?.object)
    progress["state"] = "paused"
    progress["mood"] = "good"
    #expect(try accepts(.object(progress), "GenerationProgressParams"))
    #expect(try !accepts(["recipe": "cake"], "GenerateParams"))
  }

  @Test("the schema names every message once")
  func names() {
    let names = ProtocolRegistry.acceptedMethods + ProtocolRegistry.sentNotifications
    #expect(Set(names).count == names.count)
  }

  @Test("the schema documents every member of every message and every value that comes back")
  func completeness() throws {
    let generation = try #require(checker.document["$defs"]?["Generation"]?["properties"]?.object)
    #expect(
      generation.keys == [
        "generationId", "state", "recipe", "account", "createdAt", "startedAt", "finishedAt", "progress", "prompt",
        "style", "templateId", "provider", "model", "cached", "images", "thumbnail", "text", "places", "dropped",
        "warnings", "failures", "error", "credits", "usage", "timings", "parentGenerationId", "originalGenerationId",
        "private", "favorite", "feedback", "metadata",
      ])
    let params = try #require(checker.document["$defs"]?["GenerateParams"])
    #expect(params["required"] == ["recipe"])
    #expect(
      params["properties"]?.object?.keys == [
        "recipe", "image", "references", "prompt", "style", "near", "limit", "language", "templateId", "output", "provider",
        "model", "temperature",
        "seed", "timeoutMs", "account", "idempotencyKey", "cache", "whenOffline", "waitMs", "private", "detach",
        "progress", "metadata", "_meta",
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
