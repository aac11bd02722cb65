import Glibc
import Testing

@testable import JSON
@testable import JSONRPC
@testable import POSIX

@Suite("The wire trace")
struct WireTraceTests {
  private static func temporaryPath() throws -> String {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/trace-XXXXXX".utf8CString)
    let number = mkstemp(&template)
    try #require(number >= 0)
    close(number)
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func contents(of path: String) throws -> String {
    let number = open(path, O_RDONLY)
    try #require(number >= 0)
    defer { close(number) }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    return String(decoding: buffer[..<max(0, read(number, &buffer, buffer.count))], as: UTF8.self)
  }

  @Test("the wire trace mirrors both directions without payloads, secrets or texts, for its owner alone")
  func mirrors() async throws {
    let path = try Self.temporaryPath()
    defer { unlink(path) }
    chmod(path, 0o644)
    let vocabulary = TraceVocabulary(
      members: ["key", "image", "prompt", "sequence"], words: ["work", "progress"], secretMembers: ["key"])
    let trace = try WireTrace(path: path, vocabulary: vocabulary)
    let session = try TestSession(trace: trace)
    let long = String(repeating: "é", count: 300)
    try session.peer.send(
      #"{"jsonrpc":"2.0","id":1,"method":"work","params":{"key":"AIza","image":{"data":"aGk="},"prompt":"\#(long)"}}"#
        + "\nnonsense AIza\n"
        + #"[{"jsonrpc":"2.0","id":2,"method":"nope"}]"# + "\n")
    var answers = 0
    while answers < 3, await session.peer.next() != nil { answers += 1 }
    session.connection.notify("progress", ["sequence": 1])
    session.peer.closeInput()
    _ = await session.end()
    await trace.finish()
    let text = try Self.contents(of: path)
    let params = #"{"key":"*secret*","image":{"data":"*4 bytes*"},"prompt":"*600 bytes*"}"#
    #expect(text.hasPrefix(#"--> {"jsonrpc":"2.0","id":1,"method":"work","params":\#(params)}"# + "\n"))
    #expect(text.contains(#"<-- {"jsonrpc":"2.0","id":1,"result":\#(params)}"# + "\n"))
    #expect(text.contains("# unreadable: a message of 13 bytes\n"))
    #expect(text.contains(#"<-- [{"jsonrpc":"2.0","id":2,"error":{"code":-32601"#))
    #expect(text.contains(#"<-- {"jsonrpc":"2.0","method":"progress","params":{"sequence":1}}"# + "\n"))
    #expect(!text.contains("AIza"))
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  private static let secret = "AIzaSyD-secret_0123456789abcdefghijklm"

  @Test(
    "the wire trace holds no secret, wherever in a message it stands",
    arguments: [
      #"{"jsonrpc":"2.0","id":1,"method":"work","params":{"key":"$"}}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"work","params":{"kye":"$"}}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"work","params":{"KEY":"$","Key":["$"],"kéy":{"x":"$"}}}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"work","params":{"key":{"value":"$","list":["$",{"$":1}]}}}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"work","params":{"prompt":"$"}}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"work","params":{"prompt":"my key is $, keep it"}}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"work","params":{"$":"gemini"}}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"work","params":{"image":{"$":{"$":"$"}}}}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"work","params":["$"]}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"work","params":"$"}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"$"}"#, #"{"jsonrpc":"$","id":1,"method":"work"}"#,
      #"{"jsonrpc":"2.0","id":1,"method":["$"]}"#, #"{"jsonrpc":"2.0","id":{"$":"$"},"method":"work"}"#,
      #"{"jsonrpc":"2.0","id":"prefix-$","method":"work"}"#, #"{"jsonrpc":"2.0","method":"work","params":{"x":"$"}}"#,
      #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"$"}}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"wrong","params":{"known":"$"}}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"wrong","params":{"$":1}}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"wrong","params":{"known":[{"$":1}]}}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"quoting","params":{"text":"$","data":{"$":"$"}}}"#,
      #"[{"jsonrpc":"2.0","id":1,"method":"work","params":{"kye":"$"}},"$",["$"],{"$":"$"}]"#,
      #"{"jsonrpc":"2.0","id":9,"result":{"key":"$","kye":"$"}}"#,
      #"{"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"$","data":{"expected":"$","path":"/$"}}}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"work","params":{"key":"$"}"#, #""$""#, "$", #"{"key":$}"#,
    ])
  func secrecy(message: String) async throws {
    let path = try Self.temporaryPath()
    defer { unlink(path) }
    let vocabulary = TraceVocabulary(
      members: ["key", "image", "prompt"], words: ["work", "quoting", "wrong"], secretMembers: ["key"])
    let trace = try WireTrace(path: path, vocabulary: vocabulary)
    let session = try TestSession(trace: trace)
    try session.peer.send(message.split(separator: "$", omittingEmptySubsequences: false).joined(separator: Self.secret))
    session.peer.closeInput()
    _ = await session.end()
    await trace.finish()
    let text = try Self.contents(of: path)
    #expect(text.hasPrefix("-->") || text.hasPrefix("# unreadable"))
    #expect(!text.contains("AIza"), "\(text)")
    #expect(!text.contains("secret_"), "\(text)")
  }

  @Test("the wire trace shows how a conversation went: structure, words, generated ids, times, where params are wrong")
  func shows() throws {
    let vocabulary = TraceVocabulary(
      members: ["recipe", "generationId", "createdAt", "count"], words: ["headshot"], identifierPrefixes: ["gen"])
    let redaction = TraceRedaction(vocabulary: vocabulary)
    let params: JSONValue = [
      "recipe": "headshot", "generationId": "gen_01kbkf8q6vabcdefghjkmnpqrs", "createdAt": "2026-11-21T05:26:00.123Z",
      "count": [3, "gen_01kbkf8q6vabcdefghjkmnpqru", "key_01kbkf8q6vabcdefghjkmnpqrs"], "other": true, "Recipe": [1],
    ]
    let shown = redaction.redacted(["jsonrpc": "2.0", "id": "host-7", "params": params], isOurs: false)
    #expect(shown["id"] == "host-7")
    #expect(
      shown["params"] == [
        "recipe": "headshot", "generationId": "gen_01kbkf8q6vabcdefghjkmnpqrs", "createdAt": "2026-11-21T05:26:00.123Z",
        "count": [3, "*30 bytes*", "*30 bytes*"], "*5 bytes*": "*a boolean*", "*6 bytes*": "*an array*",
      ])
    let error: JSONValue = [
      "id": 1, "error": ["code": -32602, "data": ["path": "/images/0/recipe", "expected": "an id of 1 to 128"]],
    ]
    let told = redaction.redacted(error, isOurs: true)["error"]?["data"]
    #expect(told == ["path": "/*6 bytes*/0/recipe", "expected": "an id of 1 to 128"])
  }

  @Test("the wire trace says why when the file cannot be opened")
  func unopenable() {
    let error = #expect(throws: SystemError.self) { try WireTrace(path: "/nonexistent/trace") }
    #expect(error?.description == "Could not open the trace file /nonexistent/trace: No such file or directory.")
  }
}
