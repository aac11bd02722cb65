import AtelierProtocol
import Foundation
import JSON
import Support
import ServiceFixture
import Testing

@testable import atelier

@Suite("The log of requests", .timeLimit(.minutes(2)))
struct LogFormatTests {
  private let directory: TemporaryDirectory
  private let prompt = "a secret text"

  init() throws { directory = try TemporaryDirectory() }

  /// Runs a service on these requests.
  /// - Returns: its log.
  private func log(_ requests: [String], _ arguments: String...) async throws -> [String] {
    let input = try directory.write("input", Array(requests.joined(separator: "\n").utf8))
    let outcome = try await Executable.run(
      ["-c", "exec \"$@\" < \"$0\"", input, Executable.path, "--data-dir", "\(directory.path)/data"] + arguments,
      program: "/bin/sh")
    return outcome.errors.split(separator: "\n").map(String.init)
  }

  private var requests: [String] {
    [
      #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"generate","params":{"recipe":"headshot","account":"anna","image":{"path":"\#(Fixture.path("portraits/astronaut.png"))"}}}"#,
      #"{"jsonrpc":"2.0","id":3,"method":"generate","params":{"recipe":"create","prompt":"\#(prompt)","account":"7"}}"#,
      #"{"jsonrpc":"2.0","id":4,"method":"no\nsuch method","params":{"account":"a\natelier error: forged"}}"#,
    ]
  }

  @Test("the log of requests has an object for each request at the level info, without what people wrote")
  func json() async throws {
    let lines = try await log(requests, "--log-level", "info", "--log-format", "json")
    let objects = try lines.map { try #require(try JSONValue(parsing: Array($0.utf8)).object) }
    try #require(objects.count == 4, "\(lines)")
    for object in objects {
      #expect(Timestamp(try #require(object["time"]?.string)) != nil)
      #expect(object["time"]?.string?.hasSuffix("Z") == true)
      #expect(object["level"] == "info")
      #expect(object["durationMs"]?.number != nil)
    }
    let byMethod = Dictionary(grouping: objects) { $0["method"]?.string ?? "" }
    let made = try #require(byMethod["generate"]?.first { $0["message"] == "Answered" })
    #expect(made["account"] == "anna")
    #expect(made["generationId"]?.string?.hasPrefix("gen_") == true)
    let refused = try #require(byMethod["generate"]?.first { $0["message"] == "Failed" })
    #expect(refused["error"] == "no_api_key")
    #expect(refused["account"] == "7")
    #expect(byMethod["ping"]?.first?["message"] == "Answered")
    #expect(byMethod["no\nsuch method"]?.first?["error"] == "method_not_found")
    #expect(!lines.contains { $0.contains(prompt) || $0.contains("astronaut") })
  }

  @Test("the log of requests has the same facts as text, a line for each request")
  func text() async throws {
    let lines = try await log(requests, "--log-level", "info")
    #expect(lines.count == 4)
    #expect(
      lines.contains {
        $0.wholeMatch(of: /atelier info: Answered account=anna durationMs=\d+ generationId=gen_\w+ method=generate/) != nil
      })
    #expect(
      lines.contains {
        $0.wholeMatch(of: /atelier info: Failed account=7 durationMs=\d+ error=no_api_key method=generate/) != nil
      })
    #expect(
      lines.contains { $0.contains(#"account="a\natelier error: forged""#) && $0.hasSuffix(#"method="no\nsuch method""#) })
  }

  @Test("the log of requests says nothing by default")
  func silent() async throws {
    #expect(try await log(requests, "--log-format", "json").isEmpty)
  }

  @Test("the log of requests has the reason once why the data directory cannot be used")
  func once() async throws {
    _ = try directory.write("data", [])
    let history = #"{"jsonrpc":"2.0","id":ID,"method":"history"}"#
    let lines = try await log((1...3).map { history.replacingOccurrences(of: "ID", with: "\($0)") })
    #expect(lines.count == 1)
    #expect(lines.first?.contains("is not a directory") == true)
  }

  @Test("the log of requests has lines that are never cut, whatever they say")
  func long() throws {
    let log = StandardErrorLog(logLevel: .info, format: .json, now: { Timestamp(milliseconds: 0) })
    let noise = String(repeating: "\u{1}", count: 100_000)
    let line = log.line(
      level: .info, message: noise, facts: ["method", "account", "error", "generationId"].map { ($0, noise) })
    #expect(line.utf8.count < 4095)
    #expect(try JSONValue(parsing: Array(line.utf8))["time"] == "1970-01-01T00:00:00.000Z")
  }
}
