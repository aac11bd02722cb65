import JSON
import Testing

@testable import GeminiSimulator

@Suite("A scenario", .timeLimit(.minutes(2)))
struct ScenarioTests {
  /// Expects these statuses of as many requests.
  private static func expect(
    _ statuses: Int..., from simulator: GeminiSimulator, at place: SourceLocation = #_sourceLocation
  ) async throws {
    for status in statuses {
      let response = try await simulator.exchange(.generate(prompt: "x"))
      #expect(response.status == status, sourceLocation: place)
    }
  }

  @Test("a scenario is used up step by step, then always the same is met")
  func order() async throws {
    try await withSimulator({
      $0.scenario = [ScenarioStep(.error(.overloaded)), .success]
      $0.always = ScenarioStep(.error(.internalError))
    }) { simulator in
      simulator.enqueue(.error(.model))
      try await Self.expect(503, 200, 404, 500, 500, from: simulator)
      simulator.always(.success)
      try await Self.expect(200, from: simulator)
    }
  }

  @Test("a scenario is not used up by requests that ask for no picture")
  func others() async throws {
    try await withSimulator { simulator in
      simulator.enqueue(.error(.overloaded))
      let list = RawRequest("GET", "/v1beta/models", headers: [("x-goog-api-key", "k")])
      #expect(try await simulator.exchange(list).status == 200)
      try await Self.expect(503, 200, from: simulator)
    }
  }

  @Test("a scenario may be for one model alone, and is passed by for another")
  func perModel() async throws {
    try await withSimulator({
      $0.scenario = [ScenarioStep(.error(.quotaBare), model: "gemini-2.5-flash-image"), ScenarioStep(.error(.overloaded))]
      $0.always = ScenarioStep(.error(.quotaZero), model: "gemini-3-pro-image")
    }) { simulator in
      for (model, status) in [
        ("gemini-3-pro-image", 503), ("gemini-3.1-flash-image", 200), ("gemini-2.5-flash-image", 429),
        ("gemini-2.5-flash-image", 200), ("gemini-3-pro-image", 429), ("gemini-3-pro-image", 429),
      ] {
        let response = try await simulator.exchange(.generate(prompt: "x", model: model))
        #expect(response.status == status, "\(model)")
      }
    }
  }

  @Test("a scenario gives way to what the prompt says")
  func prompt() async throws {
    try await withSimulator { simulator in
      simulator.enqueue(.error(.overloaded), .error(.overloaded))
      #expect(try await simulator.exchange(.generate(prompt: "x [[fault:404-model]]")).status == 404)
      #expect(try await simulator.exchange(.generate(prompt: "[[fault:ok]] x [[latency:1]] [[else]]")).status == 200)
      let large = try await simulator.exchange(.generate(prompt: "x [[image-bytes:200000]]"))
      try #require(try !large.pictures.isEmpty)
      #expect(try large.pictures[0].count == 200_000)
      #expect(try PictureEncoding.png.isComplete(large.pictures[0]))
    }
  }

  @Test("a scenario may hold any answer")
  func literal() async throws {
    try await withSimulator { simulator in
      let call: JSONValue = [
        "candidates": [["content": ["role": "model", "parts": [["functionCall": ["name": "f", "args": [:]]]]]]]
      ]
      simulator.enqueue(
        ScenarioStep(response: .init(json: call)),
        ScenarioStep(
          .transport(.connectionClose),
          response: .init(status: 429, headers: [HeaderField("Retry-After", "7")], body: Array("slow down".utf8))))
      let first = try await simulator.exchange(.generate(prompt: "x"))
      #expect(try first.json == call)
      let second = try await simulator.exchange(.generate(prompt: "x"))
      #expect(second.status == 429 && second.text == "slow down")
      #expect(second.header("Retry-After") == "7" && second.header("Connection") == "close")
    }
  }

  @Test("a scenario is read from JSON")
  func json() throws {
    let json: JSONValue = [
      "ok", "503-overloaded", ["fault": "finish:IMAGE_SAFETY", "latencyMs": 20, "imageBytes": 5000],
      ["model": "gemini-2.5-flash-image", "fault": "429-key"], ["latencyMs": 36_000],
      ["response": ["status": 418, "headers": ["X-A": "b"], "body": ["a": 1]]],
    ]
    let steps = try ScenarioStep.list(json: json)
    #expect(
      steps == [
        .success, ScenarioStep(.error(.overloaded)),
        ScenarioStep(.finish(.imageSafety), latencyMilliseconds: 20, imageBytes: 5000),
        ScenarioStep(.error(.quotaKey), model: "gemini-2.5-flash-image"), ScenarioStep(latencyMilliseconds: 36_000),
        ScenarioStep(response: .init(status: 418, headers: [HeaderField("X-A", "b")], json: ["a": 1])),
      ])
  }

  @Test(
    "a scenario says what is wrong with it",
    arguments: [
      (#""ok""#, "must be an array"), ("[7]", "must be the name of a fault or an object"),
      (#"["nonsense"]"#, #"/0 must be the name of a fault that gemini-simulator --list-faults tells"#),
      (#"[{"latency":1}]"#, "/0/latency is not a known member"),
      (#"[{"latencyMs":-1}]"#, "/0/latencyMs must be an integer from 0"),
      (#"[{"response":{}}]"#, "/0/response/body is missing"),
      (#"[{"fault":1}]"#, "must be the name of a fault"), (#"[{"model":1}]"#, "/0/model must be a string"),
    ])
  func wrong(_ text: String, _ sentence: String) throws {
    let error = #expect(throws: ScenarioError.self) {
      try ScenarioStep.list(json: JSONValue(parsing: Array(text.utf8)))
    }
    #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "")")
  }
}
