import AtelierProtocol
import Encodings
import Engine
import JSON
import JSONRPC
import Providers
import ServiceFixture
import Testing

@testable import Server

@Suite("Answers", .timeLimit(.minutes(3)))
struct AnswerTests {
  private func end(_ service: TestService) async {
    service.host.closeInput()
    _ = await service.end()
  }

  @Test("a bad param is refused with where it is and what was expected", arguments: [
    ("generate", ["recipe": "portrait"], "/recipe"),
    ("generate", [:], "/recipe"),
    ("generate", ["recipe": "headshot", "image": ["path": 5]], "/image/path"),
    ("generate", ["recipe": "headshot", "image": ["path": "x"], "style": ["angle": 7]], "/style/angle"),
    ("generate", ["recipe": "create", "prompt": "x", "output": ["count": 9]], "/output/count"),
    ("generate", ["recipe": "create", "prompt": "x", "colour": "red"], "/colour"),
    ("generate", ["recipe": "create", "prompt": "x", "output": ["colour": "red"]], "/output/colour"),
    ("history", ["limit": 101], "/limit"),
    ("history", ["limit": 0], "/limit"),
    ("history", ["cursor": "not one of ours"], "/cursor"),
    ("history", ["since": "yesterday"], "/since"),
    ("cancel", ["generationId": 5], "/generationId"),
    ("history/get", [:], "/generationId"),
    ("image/prepare", [:], "/image"),
  ] as [(String, JSONValue, String)])
  func badParams(method: String, params: JSONValue, path: String) async throws {
    let service = try ServiceFixture().serve([ScriptedProvider()])
    let error = try #require(try await service.host.call(1, method, params)?["error"])
    #expect(error["code"] == -32602)
    #expect(error["data"]?["path"]?.string == path)
    #expect(error["data"]?["expected"]?.string?.isEmpty == false)
    #expect(error["message"]?.string?.hasSuffix(".") == true)
    await end(service)
  }

  @Test("_meta may stand anywhere")
  func meta() async throws {
    let service = try ServiceFixture().serve([ScriptedProvider()])
    let answer = try await service.host.call(
      1, "generate",
      ["recipe": "create", "prompt": "x", "_meta": ["t": 1], "output": ["count": 1, "_meta": "anything"]])
    #expect(answer?["result"]?["state"] == "succeeded")
    await end(service)
  }

  @Test("params absent, null, empty object and empty array are none; others by position are refused")
  func noParams() async throws {
    let service = try ServiceFixture().serve([ScriptedProvider()])
    for params in ["", ",\"params\":null", ",\"params\":{}", ",\"params\":[]"] {
      try service.host.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"styles/list\"\(params)}")
      #expect(await service.host.answer(to: 1)?["result"]?["styles"]?.array?.count == 6, "\(params)")
    }
    try service.host.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[1]}")
    #expect(await service.host.answer(to: 1)?["error"]?["code"] == -32602)
    await end(service)
  }

  @Test("an application error tells its kind, the request, the time and what helps")
  func applicationError() async throws {
    let service = try ServiceFixture().serve(
      [ScriptedProvider { _, _ in throw AtelierError(.rateLimited, retryAfterMs: 5_000, provider: "scripted") }],
      configuration: .withoutRetries)
    let answer = try await service.host.call(77, "generate", ["recipe": "create", "prompt": "x", "progress": false])
    #expect(answer?["error"]?["code"] == 429)
    #expect(
      answer?["error"]?["data"] == [
        "kind": "rate_limited", "retryable": true, "retryAfterMs": 5_000, "generationId": "gen_1",
        "provider": "scripted", "requestId": 77, "timestamp": "2026-11-21T05:20:00.000Z", "details": [:],
      ])
    let message = try #require(answer?["error"]?["message"]?.string)
    #expect(message.contains("5 seconds"))
    await end(service)
  }

  @Test("an unknown method is refused, an unknown notification ignored")
  func unknown() async throws {
    let service = try ServiceFixture().serve([ScriptedProvider()])
    try service.host.notify("workspace/didChangeConfiguration")
    for method in ["nonsense", "$/nonsense", "textDocument/hover"] {
      #expect(try await service.host.call(1, method)?["error"]?["code"] == -32601, "\(method)")
    }
    await end(service)
  }

  @Test("rpc.discover describes every method that is accepted")
  func discover() async throws {
    let service = try ServiceFixture().serve([ScriptedProvider()])
    let document = try #require(try await service.host.call(1, "rpc.discover")?["result"])
    #expect(document["openrpc"]?.string?.hasPrefix("1.") == true)
    let described = Set(document["methods"]?.array?.compactMap { $0["name"]?.string } ?? [])
    for method in try await service.host.call(2, "initialize")?["result"]?["capabilities"]?["methods"]?.array ?? [] {
      let name = try #require(method.string)
      #expect(described.contains(name), "\(name)")
    }
    await end(service)
  }

  @Test("too many requests at once are refused as overloaded, while cancels, status and what is known pass")
  func overload() async throws {
    var limits = ConnectionLimits()
    limits.maximumInFlight = 2
    let gate = Gate()
    let service = try ServiceFixture().serve([ScriptedProvider(waitingAt: gate)], limits: limits)
    for id in 1...2 { try service.host.ask(id, "generate", ["recipe": "create", "prompt": "x", "progress": false]) }
    await gate.hasSeen(2)
    let refused = try #require(try await service.host.call(3, "history")?["error"])
    #expect(refused["code"] == 503)
    #expect(refused["data"]?["kind"] == "overloaded")
    #expect(refused["data"]?["retryable"] == true)
    #expect(refused["data"]?["retryAfterMs"]?.int64 != nil)
    #expect(refused["data"]?["requestId"] == 3)
    #expect(try await service.host.call(4, "ping")?["result"] == [:])
    #expect(try await service.host.call(5, "status")?["result"]?["inFlight"] == 2)
    // The answer to the generate may come before the cancel's.
    try service.host.ask(6, "cancel", ["generationId": "gen_1"])
    var ids: Set<JSONValue> = []
    for _ in 0..<2 { if let id = await service.host.next()?["id"] { ids.insert(id) } }
    #expect(ids.contains(6))
    #expect(ids.count == 2)
    try service.host.notify("$/cancelRequest", ["id": 2])
    try service.host.notify("$/cancelRequest", ["id": 1])
    await end(service)
    let outcomes = await service.host.rest().map { $0["result"]?["state"] }
    #expect(outcomes == ["cancelled"])
  }

  @Test("every notification about a generation precedes the response that ends it")
  func order() async throws {
    let service = try ServiceFixture().serve([
      ScriptedProvider(maximumConcurrentImages: 8) { _, progress in
        for step in 1...20 {
          progress(ImageProgress(phase: .processing, message: "Painting…", fraction: Double(step) / 20))
        }
        return try ScriptedProvider.picture()
      }
    ])
    for id in 1...12 { try service.host.ask(id, "generate", ["recipe": "create", "prompt": "x"]) }
    await end(service)
    var ended: Set<String> = []
    var sequences: [String: Int64] = [:]
    for message in await service.host.rest() {
      if let params = message["params"], let id = params["generationId"]?.string {
        #expect(!ended.contains(id), "\(id) went on after its end")
        let sequence = try #require(params["sequence"]?.int64)
        #expect(sequence > sequences[id] ?? 0)
        sequences[id] = sequence
      } else if let id = message["result"]?["generationId"]?.string {
        #expect(ended.insert(id).inserted, "\(id) was answered twice")
      }
    }
    #expect(ended.count == 12)
    #expect(sequences.count == 12)
  }

  @Test("a page of history stays below what line-reading hosts take, and the pages are complete")
  func pages() async throws {
    let service = try ServiceFixture().serve([ScriptedProvider()])
    let prompt = String(repeating: "a very long text \u{2028}", count: 200)
    for id in 1...40 {
      let answer = try await service.host.call(
        id, "generate", ["recipe": "create", "prompt": .string("\(id) \(prompt)"), "progress": false])
      #expect(answer?["result"]?["state"] == "succeeded")
    }
    var seen: [String] = []
    var cursor: JSONValue?
    var pages = 0
    repeat {
      var params: JSONObject = ["limit": 100]
      params["cursor"] = cursor
      let page = try #require(try await service.host.call(100 + pages, "history", .object(params))?["result"])
      seen += page["entries"]?.array?.compactMap { $0["generationId"]?.string } ?? []
      #expect(page["totals"]?["generations"] == 40)
      cursor = page["nextCursor"]
      pages += 1
    } while cursor != nil && pages < 50
    #expect(Set(seen).count == 40)
    #expect(seen.count == 40)
    #expect(pages > 1)
    await end(service)
    for line in service.host.received.split(separator: UInt8(ascii: "\n")) { #expect(line.count <= 60 * 1024) }
  }

  @Test("an inline picture may make its line longer, and is the picture")
  func inline() async throws {
    let service = try ServiceFixture().serve([ScriptedProvider()])
    let params: JSONValue = [
      "recipe": "create", "prompt": "x", "output": ["inline": true], "idempotencyKey": "again", "progress": false,
    ]
    let expected = Base64.encoded(try ScriptedProvider.picture().bytes)
    for id in 1...2 {
      let answer = try await service.host.call(id, "generate", params)
      #expect(answer?["result"]?["images"]?[0]?["data"]?.string == expected, "answer \(id)")
    }
    await end(service)
  }
}
