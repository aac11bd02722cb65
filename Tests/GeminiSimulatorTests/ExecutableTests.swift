import Foundation
import Glibc
import JSON
import POSIX
import Support
import Testing

@testable import GeminiSimulator

@Suite("gemini-simulator", .timeLimit(.minutes(2)))
struct ExecutableTests {
  /// Beside the program that runs the tests.
  static let path = URL(fileURLWithPath: ServiceExecutable.path).deletingLastPathComponent()
    .appendingPathComponent("gemini-simulator").path

  /// - Parameter errors: the file that its standard error goes to.
  private static func start(
    _ arguments: String..., errors: String = "/dev/null"
  ) async throws -> (process: ServiceChild, port: Int) {
    let launcher = ["/bin/sh", "-c", "exec \"$@\" 2>\"$0\"", errors]
    let process = try ServiceChild(command: launcher + [path] + arguments)
    let output = try await process.output.wait { !$0.messages.isEmpty || $0.isAtEnd }
    let ready = try #require(output.messages.first)
    let port = try #require(ready["port"]?.int64)
    #expect(ready == ["port": .number(JSONNumber(port)), "baseUrl": .string("http://127.0.0.1:\(port)")])
    return (process, Int(port))
  }

  @Test(
    "gemini-simulator says where it is in one line, answers, logs neither key nor prompt, and ends with 0",
    arguments: [SIGTERM, SIGINT])
  func life(signal: Int32) async throws {
    let errors = FileManager.default.temporaryDirectory.appendingPathComponent("errors-\(UUID())")
    defer { try? FileManager.default.removeItem(at: errors) }
    let (process, port) = try await Self.start(
      "--log", "--latency-ms", "1", "--fault", "503-overloaded", errors: errors.path)
    let connection = try RawConnection(port: port)
    var request = RawRequest.generate(prompt: "secret-prompt")
    request.headers[2].1 = "secret-key"
    #expect(try await connection.exchange(request).status == 503)
    process.signal(signal)
    #expect(try await process.ended() == .exited(0))
    #expect(process.output.value.messages.count == 1 && process.output.value.strayLines.isEmpty)
    let log = try String(contentsOf: errors, encoding: .utf8)
    #expect(log.hasPrefix("POST /v1beta/models/\(RawRequest.model):generateContent 503 "), "\(log)")
    #expect(!log.contains("secret") && log.split(separator: "\n").count == 1)
  }

  @Test("gemini-simulator listens on this machine's own address only")
  func loopback() async throws {
    let (process, port) = try await Self.start()
    // 127.0.0.2 is this machine as well; only who listens on every address answers there.
    #expect(throws: SystemError(code: ECONNREFUSED, operation: "connect")) {
      try RawConnection(port: port, address: 0x7F00_0002)
    }
    process.signal(SIGTERM)
    _ = try await process.ended()
  }

  @Test("gemini-simulator reads a scenario, and says what is wrong with one")
  func scenario() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("scenario-\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(#"["429-day", "ok"]"#.utf8).write(to: file)
    let (process, port) = try await Self.start("--scenario", file.path)
    let connection = try RawConnection(port: port)
    #expect(try await connection.exchange(.generate(prompt: "x")).status == 429)
    #expect(try await connection.exchange(.generate(prompt: "x")).status == 200)
    process.signal(SIGTERM)
    _ = try await process.ended()

    try Data(#"["nonsense"]"#.utf8).write(to: file)
    let wrong = try await Command.run(Self.path, ["--scenario", file.path])
    #expect(wrong.status != 0 && wrong.output.isEmpty)
    #expect(wrong.errors.contains("/0 must be the name of a fault"))
  }

  @Test("gemini-simulator names every fault")
  func list() async throws {
    let list = try await Command.run(Self.path, ["--list-faults"])
    let names = list.output.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(list.status == 0 && names == Fault.allCases.map(\.name))
  }

  @Test(
    "gemini-simulator refuses options that make no sense",
    arguments: [["--port", "70000"], ["--fault", "x"], ["--picture-scale", "0"]])
  func options(_ arguments: [String]) async throws {
    let run = try await Command.run(Self.path, arguments)
    #expect(run.status != 0 && run.output.isEmpty && run.errors.hasPrefix("Error: "))
  }
}
