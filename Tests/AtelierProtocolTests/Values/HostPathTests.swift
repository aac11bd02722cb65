import AtelierProtocol
import JSON
import Support
import Testing

@Suite("Paths of the host")
struct HostPathTests {
  private struct Answer: Codable, Equatable {
    @HostPath var path: String?
    @HostPath var other: String?
    var name = "n"
  }

  @Test("a path on the wire is a string, and absent when there is none")
  func wire() throws {
    let answer = Answer(path: "/a", other: nil)
    #expect(try written(answer) == ["path": "/a", "name": "n"])
    #expect(try read(Answer.self, ["path": "/a", "name": "n"]) == answer)
    #expect(try read(Answer.self, ["path": nil, "name": "n"]) == Answer(path: nil, other: nil))
    #expect(throws: JSONDecodingFailure.self) { try read(Answer.self, ["path": 7, "name": "n"]) }
  }

  @Test("a path is left out by an encoder that does not disclose it")
  func hidden() throws {
    let encoder = JSONValueEncoder(disclosing: { $0.hasPrefix("/open/") })
    #expect(try encoder.encode(Answer(path: "/open/a", other: "/data/a")) == ["path": "/open/a", "name": "n"])
  }

  @Test("an error that names a path which is not disclosed has the sentence of its kind")
  func errors() throws {
    let error = AtelierError(
      .fileAccessDenied, "/home/a is not readable.", hint: "Give it with: chmod u+r /home/a",
      details: [AtelierError.path: "/home/a", "n": 1])
    let body = error.body(at: Timestamp(milliseconds: 0))
    let told = try JSONValueEncoder(disclosing: { _ in false }).encode(body)
    #expect(told["message"] == .string(ErrorKind.fileAccessDenied.sentence.text) && told["data"]?["details"] == ["n": 1])
    #expect(try JSONValueEncoder(disclosing: { $0 == "/home/a" }).encode(body) == written(body))
    var unknown = body
    unknown.data.kind = "from_the_future"
    #expect(
      try JSONValueEncoder(disclosing: { _ in false }).encode(unknown)["message"]
        == .string(ErrorKind.internal.sentence.text))
  }
}
