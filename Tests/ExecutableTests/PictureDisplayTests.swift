import Foundation
import JSON
import ServiceFixture
import Support
import Testing

@testable import atelier

@Suite("What a command that makes pictures shows", .serialized, .timeLimit(.minutes(2)))
struct PictureDisplayTests {
  private let directory: TemporaryDirectory
  private let photo = Fixture.path("portraits/astronaut.png")

  init() throws { directory = try TemporaryDirectory() }

  private func generate(_ arguments: String...) async throws -> Executable.Outcome {
    try await Executable.run(["generate", "--no-output", "--data-dir", directory.path("data")] + arguments)
  }

  /// What a person sees of a command that asks nothing, at a terminal of this kind.
  private func screen(
    _ arguments: [String], type: String, columns: UInt16 = 80, environment: [String: String] = [:]
  ) async throws -> String {
    let conversation = TerminalConversation(
      command: [Executable.path, "generate", "--no-output", "--data-dir", directory.path("data")] + arguments,
      environment: Executable.environment.merging(["TERM": type]) { $1 }.merging(environment) { $1 },
      prompt: "atelier: ", deed: .type(""), columns: columns)
    return try await conversation.run().screen
  }

  @Test("a quiet command shows its paths and what went wrong, and nothing else")
  func quiet() async throws {
    let made = try await generate(photo, "--quiet")
    #expect(made.status == 0 && made.lines.count == 1 && made.errors.isEmpty, "\(made.errors)")
    let failed = try await generate("/nowhere.jpg", photo, "-q")
    #expect(failed.status == 1 && failed.lines.count == 1)
    #expect(
      failed.errors.split(separator: "\n").map { $0.prefix(24) } == ["atelier: /nowhere.jpg: T", "atelier: 1 of 2 made, 1 "],
      "\(failed.errors)")
  }

  @Test("a command shows no progress with --no-progress")
  func none() async throws {
    let outcome = try await generate(photo, "--no-progress")
    #expect(outcome.errors.hasPrefix("atelier: On this device: nothing leaves this machine.\n"))
    // Sentences stay.
    #expect(outcome.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("atelier: ") }, "\(outcome.errors)")
  }

  @Test("progress comes as the protocol's events with --progress json, in their order")
  func json() async throws {
    let outcome = try await generate(photo, "--progress", "json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = outcome.errors.split(separator: "\n").filter { !$0.hasPrefix("atelier: ") }
    let events = try lines.map { try JSONValue(parsing: Array($0.utf8)) }
    #expect(events.first?["phase"] == "queued" && events.last?["phase"] == "saving")
    #expect(events.allSatisfy { $0["requestId"] == 0 && $0["generationId"] != nil })
    let numbers = events.compactMap { $0["sequence"]?.int64 }
    #expect(numbers == numbers.sorted() && Set(numbers).count == events.count)
  }

  @Test("a dumb terminal gets one line for each step, without escape sequences and carriage returns")
  func dumb() async throws {
    let screen = try await screen([photo], type: "dumb")
    // The terminal itself ends each line with both characters.
    let text = screen.replacingOccurrences(of: "\r\n", with: "\n")
    #expect(!text.contains("\r") && !text.contains("\u{1B}"), "\(text)")
    let lines = text.split(separator: "\n")
    #expect(lines.contains("Finding your face…") && Set(lines).count == lines.count, "\(text)")
  }

  @Test("the changing line of a terminal stays within its columns", arguments: [80, 50, 20])
  func narrow(columns: UInt16) async throws {
    let copy = directory.path("写真写真写真写真写真写真写真写真写真写真.png")
    try FileManager.default.copyItem(atPath: photo, toPath: copy)
    let screen = try await screen([photo, copy, "--color", "never"], type: "xterm", columns: columns)
    let drawn = screen.components(separatedBy: "\r\u{1B}[K").dropFirst().map { $0.prefix { !$0.isNewline } }
    #expect(drawn.contains { $0.hasPrefix("[#") }, "\(screen)")
    for line in drawn where line.hasPrefix("[") {
      #expect(DisplayWidth.columns(of: String(line)) < Int(columns), "\(line)")
    }
    #expect(!screen.contains("[0m"))
  }

  @Test("errors are red at a terminal, and where that is asked for", arguments: [
    ("xterm", [:], true), ("xterm", ["NO_COLOR": "1"], false), ("xterm", ["NO_COLOR": ""], true), ("dumb", [:], false),
  ] as [(String, [String: String], Bool)])
  func red(type: String, environment: [String: String], isRed: Bool) async throws {
    let screen = try await screen(["/nowhere.jpg"], type: type, environment: environment)
    #expect(screen.contains("\u{1B}[31matelier: There is no file") == isRed, "\(screen)")
    let piped = try await generate("/nowhere.jpg", "--color", "always")
    #expect(piped.errors.hasPrefix("\u{1B}[31matelier: There is no file"), "\(piped.errors)")
    #expect(!(try await generate("/nowhere.jpg")).errors.contains("\u{1B}"))
  }
}
