import JSON
import Testing

@testable import GeminiSimulator

@Suite("The control API", .timeLimit(.minutes(2)))
struct ControlTests {
  private static func call(
    _ simulator: GeminiSimulator, _ method: String, _ path: String, _ json: JSONValue? = nil
  ) async throws -> RawResponse {
    try await simulator.exchange(RawRequest(method, "/_simulator/\(path)", body: json?.serialized() ?? []))
  }

  @Test("the control API sets what the coming requests meet")
  func faults() async throws {
    try await withSimulator { simulator in
      let list: JSONValue = ["503-overloaded", ["fault": "ok", "latencyMs": 1]]
      #expect(try await Self.call(simulator, "PUT", "faults", list).status == 200)
      #expect(try await Self.call(simulator, "PUT", "faults", ["always": "404-model"]).status == 200)
      var statuses: [Int] = []
      for _ in 0..<3 { statuses.append(try await simulator.exchange(.generate(prompt: "x")).status) }
      #expect(statuses == [503, 200, 404])
      _ = try await Self.call(simulator, "PUT", "faults", ["429-bare"])
      _ = try await Self.call(simulator, "DELETE", "faults")
      #expect(try await simulator.exchange(.generate(prompt: "x")).status == 200)
    }
  }

  @Test("the control API tells requests and connections, without keys and pictures")
  func requests() async throws {
    try await withSimulator { simulator in
      _ = try await simulator.exchange(.generate(StrictnessTests.good, key: "secret-key"))
      let response = try await Self.call(simulator, "GET", "requests/1?state=closedByPeer")
      let record = try response.json
      #expect(record["id"] == 1 && record["model"]?.string == RawRequest.model && record["status"] == 200)
      #expect(record["credential"]?["place"] == "header")
      #expect(record["facts"]?["prompt"] == "make it red")
      #expect(
        record["times"]?.object?.keys == ["received", "headers", "bodyComplete", "answered", "closedByPeer"])
      #expect(!response.text.contains("secret-key"))
      #expect(!response.text.contains("iVBOR"))
      #expect(try await Self.call(simulator, "GET", "requests/1").json == record)
      #expect(try await Self.call(simulator, "GET", "requests").json == [record])
      let connections = try await Self.call(simulator, "GET", "connections").json
      #expect(connections[0]?["end"] == "peer" && connections[0]?["requests"] == 1)
    }
  }

  @Test("the control API answers a wait once it is over, and forgets one whose asker has gone")
  func waiting() async throws {
    try await withSimulator { simulator in
      let gone = try RawConnection(port: simulator.port)
      try await gone.send(RawRequest("GET", "/_simulator/requests/1?state=received").bytes)
      gone.close()
      let waiting = try RawConnection(port: simulator.port)
      try await waiting.send(RawRequest("GET", "/_simulator/requests/1?state=received").bytes)
      simulator.enqueue(.transport(.hold))
      let held = try RawConnection(port: simulator.port)
      try await held.send(RawRequest.generate(prompt: "x").bytes)
      #expect(try await waiting.response().json["state"] == "received")
      #expect(try await Self.call(simulator, "POST", "release/1").status == 200)
      #expect(try await held.response().status == 200)
    }
  }

  @Test(
    "the control API says what is wrong with a call",
    arguments: [
      ("GET", "nonsense", nil, 404), ("POST", "faults", nil, 404), ("PUT", "faults", "nonsense", 400),
      ("PUT", "faults", ["always": "x", "more": 1], 400), ("PUT", "faults", ["nonsense"], 400),
      ("GET", "requests/7", nil, 404), ("GET", "requests/x", nil, 400), ("GET", "requests/1?state=x", nil, 400),
      ("GET", "faults", nil, 404), ("DELETE", "requests", nil, 404), ("POST", "release/x", nil, 400),
    ] as [(String, String, JSONValue?, Int)])
  func wrong(_ method: String, _ path: String, _ json: JSONValue?, _ status: Int) async throws {
    try await withSimulator { simulator in
      let response = try await Self.call(simulator, method, path, json)
      #expect(response.status == status)
      #expect(try response.json["error"]?.string?.isEmpty == false)
    }
  }
}
