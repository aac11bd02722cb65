import Foundation
import JSON
import ServiceFixture
import Support
import Testing

@Suite("atelier config", .timeLimit(.minutes(2)))
struct ConfigCommandTests {
  private let directory: TemporaryDirectory
  private var file: String { directory.path("atelier.json") }

  init() throws { directory = try TemporaryDirectory() }

  private func run(_ arguments: String...) async throws -> Executable.Outcome {
    try await Executable.run(["config"] + arguments + ["--config", file])
  }

  private var text: String { get throws { try String(contentsOfFile: file, encoding: .utf8) } }

  @Test("config set changes one member, and keeps the others and their order")
  func set() async throws {
    let before = #"{"historyDays":1.0e1,"queue":{"probeMs":2},"generationTimeoutMs":9}"#
    _ = try directory.write("atelier.json", Array(before.utf8))
    let outcome = try await run("set", "queue.attempts", "5")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.lines == ["queue.attempts is 5 in \(file)."])
    #expect(
      try text == """
        {
          "historyDays": 1.0e1,
          "queue": {
            "probeMs": 2,
            "attempts": 5
          },
          "generationTimeoutMs": 9
        }

        """)
  }

  @Test("config set makes the file and the objects above the member, and takes texts and lists")
  func make() async throws {
    #expect(try await run("set", "providers.openai.baseUrl", "http://127.0.0.1:8080/v1").status == 0)
    #expect(try await run("set", "providers.order", #"["ondevice", "openai"]"#).status == 0)
    #expect(try await run("get", "providers.openai.baseUrl").lines == ["http://127.0.0.1:8080/v1"])
    #expect(try await run("get", "providers.order.1").lines == ["openai"])
    #expect(try await run("get", "providers.order").lines == [#"["ondevice", "openai"]"#])
  }

  @Test("config set refuses what a service could not use, with the sentence of the check", arguments: [
    (["queue.attempts", "0"], "Nothing was changed. /queue/attempts must be from 1 to 100."),
    (["historyDays", "soon"], "Nothing was changed. /historyDays must be an integer, not \"soon\"."),
    (["nonsense", "1"], "Nothing was changed. /nonsense is not a known member"),
    (["providers.order.7", "gemini"], "“7” in providers.order.7 is no place in a list of 1"),
    (["providers.order.0.x", "1"], "providers.order.0.x leads through a string, which has no “x”."),
  ])
  func refused(arguments: [String], sentence: String) async throws {
    let before = #"{"providers": {"order": ["ondevice"]}}"#
    _ = try directory.write("atelier.json", Array(before.utf8))
    let outcome = try await Executable.run(["config", "set"] + arguments + ["--config", file])
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix("atelier: \(sentence)"), "\(outcome.errors)")
    #expect(try text == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["atelier.json"])
  }

  @Test("config set writes through a symbolic link, and keeps the rights of the file")
  func link() async throws {
    let real = try directory.write("real.json", Array("{}".utf8))
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: real)
    try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: real)
    #expect(try await run("set", "historyDays", "9").status == 0)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file) == real)
    #expect(try FileManager.default.attributesOfItem(atPath: real)[.posixPermissions] as? Int == 0o640)
    #expect(try String(contentsOfFile: real, encoding: .utf8).contains("\"historyDays\": 9"))
  }

  @Test("config get ends with 1 for a member that the file does not have")
  func absent() async throws {
    _ = try directory.write("atelier.json", Array("{}".utf8))
    let outcome = try await run("get", "queue.attempts")
    #expect(outcome.status == 1)
    #expect(outcome.errors == "atelier: \(file) has no queue.attempts: its default applies.\n")
    #expect(try await run("get").lines == ["{}"])
  }

  @Test("config check says what is wrong with line and column, as doctor does")
  func check() async throws {
    _ = try directory.write("atelier.json", Array("{\n \"queue\": {\"attempts\": 0}}".utf8))
    let outcome = try await run("check")
    #expect(outcome.status == 1)
    #expect(outcome.errors == "atelier: \(file):2:24: /queue/attempts must be from 1 to 100.\n")
    _ = try directory.write("atelier.json", Array("{}".utf8))
    #expect(try await run("check").lines == ["\(file) can be used."])
  }

  @Test("config path prints the file in use, and without one says where it would be named")
  func path() async throws {
    let named = try await run("path")
    #expect(named.lines == [file] && named.errors.contains("no file there yet"))
    let variable = try await Executable.run(["config", "path"], environment: ["ATELIER_CONFIG": "/etc/atelier.json"])
    #expect(variable.lines == ["/etc/atelier.json"])
    let none = try await Executable.run(["config", "path"])
    #expect(none.status == 1 && none.output.isEmpty && none.errors.contains("ATELIER_CONFIG"))
  }
}
