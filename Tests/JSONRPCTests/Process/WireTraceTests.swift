import Glibc
import Testing

@testable import JSONRPC

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

  @Test("mirrors both directions without payloads, secrets or long texts, for its owner alone")
  func mirrors() async throws {
    let path = try Self.temporaryPath()
    defer { unlink(path) }
    chmod(path, 0o644)
    let trace = try WireTrace(path: path, secretMembers: ["key"])
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
    let cut = String(repeating: "é", count: 200) + "… (600 bytes)"
    let params = #"{"key":"*secret*","image":{"data":"*4 bytes*"},"prompt":"\#(cut)"}"#
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

  @Test("says why when the file cannot be opened")
  func unopenable() {
    let error = #expect(throws: SystemError.self) { try WireTrace(path: "/nonexistent/trace") }
    #expect(error?.description == "Could not open the trace file /nonexistent/trace: No such file or directory.")
  }
}
