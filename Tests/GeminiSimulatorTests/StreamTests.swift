import JSON
import Testing

@testable import GeminiSimulator

@Suite("A stream of events", .timeLimit(.minutes(2)))
struct StreamTests {
  private static func stream(
    _ simulator: GeminiSimulator, _ fault: StreamFault? = nil, alt: String = "?alt=sse"
  ) async throws -> RawResponse {
    if let fault { simulator.enqueue(.stream(fault)) }
    var request = RawRequest.generate(
      ["contents": [["parts": [["text": "x"]]]]], method: "streamGenerateContent")
    request.path += alt
    return try await simulator.exchange(request)
  }

  private static func pictures(_ events: [JSONValue]) -> Int {
    events.flatMap { $0["candidates"]?[0]?["content"]?["parts"]?.array ?? [] }.count { $0["inlineData"] != nil }
  }

  @Test("a stream of events brings text, picture and end one after another")
  func good() async throws {
    try await withSimulator { simulator in
      let response = try await Self.stream(simulator)
      #expect(response.header("Content-Type") == "text/event-stream")
      let events = try response.events.map { try JSONValue(parsing: Array($0.utf8)) }
      #expect(events.count == 3)
      #expect(Self.pictures(events) == 1)
      #expect(events.map { $0["candidates"]?[0]?["finishReason"]?.string } == [nil, nil, "STOP"])
      #expect(events.allSatisfy { $0["usageMetadata"] != nil && $0["responseId"] == events[0]["responseId"] })
    }
  }

  @Test("a stream of events without alt=sse is an array that grows")
  func array() async throws {
    try await withSimulator { simulator in
      let response = try await Self.stream(simulator, alt: "")
      let events = try #require(try response.json.array)
      #expect(events.count == 3)
      #expect(Self.pictures(events) == 1)
    }
  }

  @Test("a stream of events begins with a plain error when there is one")
  func error() async throws {
    try await withSimulator { simulator in
      simulator.enqueue(.error(.overloaded))
      let response = try await Self.stream(simulator)
      #expect(response.status == 503)
      #expect(response.error?["status"] == "UNAVAILABLE")
    }
  }

  @Test(
    "a stream of events may carry unusual lines and still a picture",
    arguments: [StreamFault.done, .comments, .manyLines, .smallPieces])
  func unusual(_ fault: StreamFault) async throws {
    try await withSimulator { simulator in
      let response = try await Self.stream(simulator, fault)
      let events = response.events.filter { $0 != "[DONE]" }
      #expect((response.events.last == "[DONE]") == (fault == .done))
      #expect(response.text.contains("\n: ") == (fault == .comments))
      #expect(response.text.contains("data: {\ndata: ") == (fault == .manyLines))
      #expect(Self.pictures(try events.map { try JSONValue(parsing: Array($0.utf8)) }) == 1)
    }
  }

  @Test("a stream of events may end its lines with CR LF")
  func carriageReturns() async throws {
    try await withSimulator { simulator in
      let response = try await Self.stream(simulator, .carriageReturns)
      #expect(response.text.components("\r\n\r\n").count == 4)
      #expect(!response.text.replacing("\r\n", with: "").contains("\n"))
    }
  }

  @Test("a stream of events may break off with an error, without an end, or with nonsense")
  func broken() async throws {
    try await withSimulator { simulator in
      let error = try await Self.stream(simulator, .error)
      try #require(error.events.count > 1)
      #expect(try JSONValue(parsing: Array(error.events[1].utf8))["error"]?["code"] == 503)
      let bare = try await Self.stream(simulator, .bareError)
      #expect(bare.events.count == 1)
      #expect(bare.text.contains("\n\n{\"error\":"))
      let unfinished = try await Self.stream(simulator, .noFinish)
      #expect(unfinished.events.count == 2)
      #expect(!unfinished.text.contains("finishReason"))
      let nonsense = try await Self.stream(simulator, .notJSON)
      try #require(nonsense.events.count > 1)
      #expect((try? JSONValue(parsing: Array(nonsense.events[1].utf8))) == nil)
    }
  }
}

extension String {
  fileprivate func components(_ separator: String) -> [Substring] {
    split(separator: separator, omittingEmptySubsequences: false)
  }
}
