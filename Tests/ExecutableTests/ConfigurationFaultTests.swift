import Foundation
import JSON
import Support
import ServiceFixture
import Testing

@Suite("A configuration file that cannot be used", .timeLimit(.minutes(2)))
struct ConfigurationFaultTests {
  private let directory: TemporaryDirectory
  private var data: String { "\(directory.path)/data" }
  private var file: String { "\(directory.path)/atelier.json" }

  init() throws { directory = try TemporaryDirectory() }

  private func run(_ arguments: [String], with text: String) async throws -> Executable.Outcome {
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    return try await Executable.run(arguments + ["--config", file, "--data-dir", data])
  }

  @Test("a configuration file that is right can be used")
  func right() async throws {
    let outcome = try await run(["doctor"], with: "{\"generationTimeoutMs\": 30000}")
    #expect(outcome.status == 0)
    #expect(outcome.lines.contains("✓ configuration: \(file) can be used."))
  }

  @Test("a configuration file is read with a byte order mark, and in UTF-16 named as that")
  func encodings() async throws {
    let mark = try await run(["doctor"], with: "\u{FEFF}{\"generationTimeoutMs\": 30000}")
    #expect(mark.lines.contains("✓ configuration: \(file) can be used."))
    #expect(try await run(["history"], with: "\u{FEFF}{\"queue\": 5}").errors.contains("\(file):1:11: /queue must be"))
    try "{\"historyDays\": 3}".write(toFile: file, atomically: true, encoding: .utf16LittleEndian)
    let wide = try await Executable.run(["history", "--config", file, "--data-dir", data])
    #expect(wide.status == 1)
    #expect(
      wide.errors == "atelier: The configuration file cannot be read: “\(file)” is in UTF-16: save it as UTF-8 "
        + "and try again.\n")
  }

  @Test("a wrong configuration file is refused with line, column, member and what is expected, in words", arguments: [
    ("{\"queue\": {\"attempts\": 0}}", "1:24: /queue/attempts must be from 1 to 100."),
    ("{\n  \"historyDays\": 3,\n  \"preparedHours\": \"x\"\n}", "3:20: /preparedHours must be an integer, not \"x\"."),
    ("{\"queue\": 5}", "1:11: /queue must be an object, not 5."),
    ("{\"recipes\": {\"edit\": {\"providers\": {}}}}", "1:36: /recipes/edit/providers must be an array, not an object."),
    ("{\"store\": {\"url\": \"postgresql://a:secret@b/c\"}}", "1:19: /store/url must not contain the password"),
    ("{\"store\": {\"url\": \"postgresql://a@b/c?sslmode=require\"}}", "1:19: /store/url must keep sslmode=verify-full"),
    (
      "{\"store\": {\"url\": \"postgresql://a@b/c\", \"passwordFile\": \"/nowhere\"}}",
      "1:57: /store/passwordFile must be the path of a file, which “/nowhere” is not."
    ),
    ("{\"preparedHours\": 8761}", "1:19: /preparedHours must be from 0 to 8760 (a year)."),
    ("{\"credits\": {\"guest\": -1}}", "1:23: /credits/guest must be from 0 to 1000000."),
    ("{\"providers\": {\"gemini\": {\"model\": \"\"}}}", "1:36: /providers/gemini/model must be"),
    ("{\"credits\": {\"products\": [{\"id\": \"x\"}]}}",
      "1:27: /credits/products/0/kind is missing; it must be subscription or bundle."),
    ("[]", "1:1: The value must be an object, not an array."),
    ("{\"é\": 1, \"generationTimeout\": 1}", "1:7: /é is not a known member; known are access, accounts, artifacts,"),
    ("{\n\"historyDays\": 1,\n}", "3:1: The JSON text has '}' at byte 20, where a member name in quotes is expected."),
  ])
  func refused(text: String, sentence: String) async throws {
    let outcome = try await run(["history"], with: text)
    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("atelier: \(file):\(sentence)"), "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  @Test("a wrong configuration file is refused in the same words by each command", arguments: [
    ["serve"], [], ["generate", "photo.jpg"], ["status"], ["credits", "audit"], ["providers"],
  ])
  func everywhere(command: [String]) async throws {
    let outcome = try await run(command, with: "{\"queue\": 5}")
    #expect(outcome.status == 1)
    #expect(outcome.errors == "atelier: \(file):1:11: /queue must be an object, not 5.\n")
  }

  @Test(
    "a wrong configuration file does not keep doctor from the rest",
    arguments: ["{\"queue\": 5}", "{", "{\"historyDays\": 0}"])
  func doctor(text: String) async throws {
    let outcome = try await run(["doctor"], with: text)
    #expect(outcome.status == 1)
    #expect(outcome.lines.filter { $0.hasPrefix("✗ ") }.count == 1)
    #expect(outcome.lines.contains { $0.hasPrefix("✗ configuration: \(file):1:") })
    for topic in ["worker", "models", "database", "templates", "provider ondevice"] {
      #expect(outcome.lines.contains { $0.hasPrefix("✓ \(topic): ") }, "\(topic)")
    }
  }

  @Test(
    "a configuration file that cannot be read is found by doctor",
    arguments: [("/nowhere", "There is no file"), ("/", "“/” is no file. Name the file.")])
  func missing(path: String, reason: String) async throws {
    let outcome = try await Executable.run(["doctor", "--config", path, "--data-dir", data])
    #expect(outcome.status == 1)
    let finding = outcome.lines.first { $0.hasPrefix("✗ configuration: The configuration file cannot be read: ") }
    #expect(finding?.contains(reason) == true, "\(outcome.output)")
  }
}
