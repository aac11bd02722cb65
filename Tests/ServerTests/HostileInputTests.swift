import AtelierProtocol
import Encodings
import JSON
import Support
import ServiceFixture
import Testing

@testable import Server

@Suite("What no host should send", .timeLimit(.minutes(5)))
struct HostileInputTests {
  private func end(_ service: TestService) async {
    service.host.closeInput()
    _ = await service.end()
  }

  /// Every whole number, and other numbers, that a host may send: method, and params around the number.
  private static let places: [(String, @Sendable (JSONValue) -> JSONValue)] = [
    ("initialize", { ["processId": $0] }),
    ("generate", { ["recipe": "create", "prompt": "x", "output": ["count": $0]] }),
    ("generate", { ["recipe": "create", "prompt": "x", "seed": $0] }),
    ("generate", { ["recipe": "create", "prompt": "x", "timeoutMs": $0, "waitMs": $0] }),
    ("generate", { ["recipe": "create", "prompt": "x", "temperature": $0] }),
    ("generate", { ["recipe": "create", "prompt": "x", "metadata": ["n": $0]] }),
    ("generate", { ["recipe": "headshot", "image": ["generationId": "gen_x", "index": $0]] }),
    ("generate", { ["recipe": "headshot", "image": ["generationId": "gen_x"], "style": ["angle": $0]] }),
    ("credits/estimate", { ["recipe": "create", "prompt": "x", "output": ["count": $0], "account": "anna"] }),
    ("regenerate", { ["generationId": "gen_x", "seed": $0, "timeoutMs": $0] }),
    ("history", { ["limit": $0] }), ("session/list", { ["limit": $0] }), ("templates/list", { ["limit": $0] }),
    ("session/get", { ["sessionId": "gen_x", "limit": $0] }), ("credits/history", { ["limit": $0] }),
    ("feedback/submit", { ["generationId": "gen_x", "rating": $0] }),
    ("status", { ["_meta": $0] }), ("ping", { ["_meta": ["n": $0]] }),
  ]

  @Test("numbers at and beyond every border are answered wherever a number is read")
  func numbers() async throws {
    let service = try ServiceFixture().serve([ScriptedProvider()])
    var id = 0
    for number in HostileInput.numbers {
      for (method, params) in Self.places {
        id += 1
        let answer = try await service.host.call(id, method, params(.number(try #require(JSONNumber(text: number)))))
        #expect((answer?["result"] == nil) != (answer?["error"] == nil), "\(method) \(number)")
        #expect(answer?["error"]?["code"] != -32603, "\(method) \(number)")
      }
    }
    #expect(try await service.host.call(0, "ping")?["result"] == [:])
    await end(service)
  }

  @Test("numbers as ids come back as they were written", arguments: HostileInput.numbers)
  func ids(number: String) async throws {
    let service = try ServiceFixture().serve([ScriptedProvider()])
    try service.host.send(#"{"jsonrpc":"2.0","id":\#(number),"method":"status"}"#)
    #expect(await service.host.next()?["id"] == JSONNumber(text: number).map(JSONValue.number))
    try service.host.send(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(number)}}"#)
    await end(service)
  }

  @Test("forged cursors are refused as invalid params, or give a page")
  func cursors() async throws {
    let service = try ServiceFixture().serve([ScriptedProvider()])
    // Enough for a search to have something to walk through.
    _ = try await service.host.call(1, "generate", ["recipe": "create", "prompt": "needle"])
    var id = 1
    let base64URL: (String) -> String = { text in
      String(Base64.encoded(Array(text.utf8)).filter { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }
    for number in HostileInput.numbers + ["", "x", "-", "+1", "01", "1 ", "９"] {
      for name in ["gen_x", "", "\u{10FFFF}", String(repeating: "g", count: 200)] {
        let cursor = base64URL("\(number):\(name)")
        let template = Base64.encoded(Array("\(number):\(number):\(name):\(name)".utf8))
        for (method, params) in [
          ("history", ["cursor": .string(cursor)]), ("history", ["cursor": .string(cursor), "search": "needle"]),
          ("history", ["cursor": .string(cursor), "account": "*", "recipe": "create"]),
          ("session/list", ["cursor": .string(cursor)]),
          ("session/get", ["sessionId": "gen_x", "cursor": .string(cursor)]),
          ("templates/list", ["cursor": .string(template)]),
          ("credits/history", ["cursor": .string("\(number)"), "account": "anna"]),
        ] as [(String, JSONValue)] {
          id += 1
          let answer = try await service.host.call(id, method, params)
          guard let error = answer?["error"] else {
            #expect(answer?["result"] != nil, "\(method) \(number) \(name)")
            continue
          }
          // The session has to be found before anybody can page through it.
          let isUnknown = method == "session/get" && error["code"] == 404
          #expect(isUnknown || error["code"] == -32602, "\(method) \(number) \(name)")
          #expect(isUnknown || error["data"]?["path"] == "/cursor", "\(method) \(number) \(name)")
        }
      }
    }
    for number in ["9223372036854775807", "-9223372036854775808", "253402300800000"] {
      id += 1
      let answer = try await service.host.call(
        id, "history", ["cursor": .string(base64URL("\(number):gen_x")), "search": "needle"])
      #expect(answer?["error"]?["code"] == -32602, "\(number)")
    }
    await end(service)
  }

  @Test("an error quotes no more than fits into 60 KiB, whatever was named", arguments: ["x", "\u{1}", "é", "😀", "/"])
  func longErrors(unit: String) async throws {
    let service = try ServiceFixture().serve([ScriptedProvider()])
    let long = String(repeating: unit, count: 60_000)
    let requests: [(String, JSONValue)] = [
      (long, [:]), ("generate", [long: 1]), ("generate", ["recipe": .string(long)]),
      ("generate", ["recipe": "create", "prompt": .string(long)]),
      ("generate", ["recipe": "create", "prompt": "x", "provider": .string(long)]),
      ("generate", ["recipe": "create", "prompt": "x", "provider": .string(String(long.prefix(128)))]),
      ("generate", ["recipe": "create", "prompt": "x", "model": .string(String(long.prefix(256)))]),
      ("generate", ["recipe": "headshot", "image": ["path": .string(long)]]),
      ("generate", ["recipe": "headshot", "image": ["path": .string(String(long.prefix(4_096)))]]),
      ("generate", ["recipe": "headshot", "image": ["data": .string(long)]]),
      ("generate", ["recipe": "headshot", "image": [long: [long: [long: 1]]]]),
      ("generate", ["recipe": "hairstyle", "image": ["path": "x"], "templateId": .string(String(long.prefix(256)))]),
      ("templates/get", ["id": .string(long)]), ("templates/get", ["id": .string(String(long.prefix(256)))]),
      ("history/get", ["generationId": .string(String(long.prefix(128)))]), ("history", ["cursor": .string(long)]),
      ("cancel", ["idempotencyKey": .string(String(long.prefix(128)))]),
      ("history/export", ["directory": .string(String(long.prefix(4_096)))]),
      ("credentials/set", ["provider": .string(long), "key": .string(long)]),
      ("credits/purchase", ["account": "anna", "proof": ["platform": .string(long), "signedTransaction": .string(long)]]),
      ("account/signIn", ["account": "anna", "identity": ["provider": .string(long), "subject": .string(long)]]),
    ]
    for (index, (method, params)) in requests.enumerated() {
      let answer = try await service.host.call(index, method, params)
      #expect(answer != nil, "request \(index)")
      #expect(answer?.serialized().count ?? .max <= 60 << 10, "request \(index)")
    }
    await end(service)
  }
}
