import JSON
import Support
import Testing

@Suite("Transcripts")
struct TranscriptTests {
  private static let conversation = """
    # a conversation
    --> {"id":1,
         "method":"m"}

    # more
    <--* {"method":"p","params":{"n":"*rising*","…":"*any*"}}
    <-- {"id":1,"result":{"generationId":"*id:a*"}}
    --> {"id":2,"params":{"generationId":"*id:a*"}}
    --> broken {
    <-- [{"id":2},{"id":3}]
    """

  @Test("transcripts are read line by line, and a line that begins with a space goes on with the one before")
  func parsing() throws {
    let transcript = try Transcript(parsing: Self.conversation)
    #expect(transcript.title == "a conversation")
    try #require(transcript.lines.map(\.number) == [2, 6, 7, 8, 9, 10])
    #expect(transcript.lines[0].step == .send(#"{"id":1,"method":"m"}"#))
    #expect(transcript.lines[4].step == .send("broken {"))
    #expect(transcript.lines[5].step == .expect([["id": 2], ["id": 3]]))
  }

  @Test(
    "texts that are no transcripts are refused with the line",
    arguments: [("hello", 1), ("# a\n-->{}", 2), ("<-- {\n", 1), ("--> {}\n\n <-- {}", 3), ("<--* ", 1)])
  func badSyntax(text: String, line: Int) {
    let error = #expect(throws: TranscriptSyntaxError.self) { try Transcript(parsing: text) }
    #expect(error?.line == line)
  }

  @Test("a transcript plays: what is due is sent, what comes is judged, what was captured is sent again")
  func playing() throws {
    var run = TranscriptRun(try Transcript(parsing: Self.conversation))
    #expect(try run.due() == [#"{"id":1,"method":"m"}"#])
    #expect(try run.due() == [])
    #expect(run.awaitedLine == 7)
    try run.receive(["method": "p", "params": ["n": 1, "x": []]])
    try run.receive(["method": "p", "params": ["n": 5]])
    #expect(throws: TranscriptRun.Mismatch.self) { try run.receive(["method": "p", "params": ["n": 5]]) }
    try run.receive(["id": 1, "result": ["generationId": "gen_7"]])
    #expect(throws: TranscriptRun.Mismatch.self) { try run.receive(["method": "p", "params": ["n": 6]]) }
    #expect(try run.due() == [#"{"id":2,"params":{"generationId":"gen_7"}}"#, "broken {"])
    #expect(!run.isComplete)
    try run.receive([["id": 3], ["id": 2]])
    #expect(try run.due() == [])
    #expect(run.isComplete)
    let mismatch = #expect(throws: TranscriptRun.Mismatch.self) { try run.receive(["id": 9]) }
    #expect(mismatch?.line == nil)
  }

  @Test("a transcript says where a message differs")
  func mismatch() throws {
    var run = TranscriptRun(try Transcript(parsing: "# t\n<-- {\"a\":{\"b\":[1,2]}}"))
    _ = try run.due()
    let mismatch = #expect(throws: TranscriptRun.Mismatch.self) { try run.receive(["a": ["b": [1, 3]]]) }
    #expect(mismatch?.description == #"line 2: at "/a/b/1" expected 2, got 3, in {"a":{"b":[1,3]}}"#)
  }

  @Test("a transcript cannot send what was not captured")
  func unbound() throws {
    var run = TranscriptRun(try Transcript(parsing: "--> {\"id\":\"*id:a*\"}"))
    #expect(throws: TranscriptRun.Mismatch.self) { try run.due() }
  }

  @Test(
    "messages like the pattern match it",
    arguments: [
      ([:], [:]), (["a": 1], ["…": "*any*"]), (["a": 1, "b": nil], ["b": nil, "…": "*any*"]), (nil, "*any*"),
      ([1, [2]], ["*any*", "*any*"]), (["n": -3], ["n": "*rising*"]), (["i": "x"], ["i": "*id:one*"]),
      ("**", "**"), ([["id": 2], ["id": 1]], [["id": 1], ["id": 2]]),
      (["a": "x", "b": "x"], ["a": "*id:q*", "b": "*id:q*"]),
    ] as [(JSONValue, JSONValue)])
  func matches(message: JSONValue, pattern: JSONValue) {
    var matcher = TranscriptMatcher()
    #expect(throws: Never.self) { try matcher.match(message, pattern) }
  }

  @Test(
    "messages unlike the pattern do not match it",
    arguments: [
      (["a": 1], [:], "/a"), ([:], ["a": 1], "/a"), ([:], ["a": "*any*"], "/a"), (["a": 1], ["a": "1"], "/a"),
      (["a": [1]], ["a": [1, 2]], "/a"), (["n": "1"], ["n": "*rising*"], "/n"), (["i": 5], ["i": "*id:one*"], "/i"),
      (["i": ""], ["i": "*id:one*"], "/i"), (["a": 1], ["a": "*anything*"], "/a"), ([1, 1], [1, 2], ""),
      ([1, 2, 3], [1, 2], ""), (["a": "x", "b": "y"], ["a": "*id:q*", "b": "*id:q*"], "/b"), ("x", nil, ""),
    ] as [(JSONValue, JSONValue, String)])
  func doesNotMatch(message: JSONValue, pattern: JSONValue, path: String) {
    var matcher = TranscriptMatcher()
    let difference = #expect(throws: TranscriptMatcher.Difference.self) { try matcher.match(message, pattern) }
    #expect(difference?.path == path)
    #expect(matcher == TranscriptMatcher(), "nothing is remembered of what did not match")
  }

  @Test("transcripts let numbers rise for each generation by itself")
  func rising() throws {
    var matcher = TranscriptMatcher()
    let pattern: JSONValue = ["method": "p", "params": ["generationId": "*any*", "sequence": "*rising*"]]
    func message(_ id: JSONValue, _ sequence: JSONValue) -> JSONValue {
      ["method": "p", "params": ["generationId": id, "sequence": sequence]]
    }
    try matcher.match(message("a", 3), pattern)
    try matcher.match(message("b", 1), pattern)
    try matcher.match(message("a", 4), pattern)
    #expect(throws: TranscriptMatcher.Difference.self) { try matcher.match(message("b", 1), pattern) }
  }
}
