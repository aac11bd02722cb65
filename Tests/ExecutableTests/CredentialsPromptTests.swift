import Foundation
import Glibc
import Support
import ServiceFixture
import Testing

@Suite("Typing a key at a terminal", .timeLimit(.minutes(2)))
struct CredentialsPromptTests {
  private let directory: TemporaryDirectory
  private let key = "an-invented-key-typed-7777"

  init() throws { directory = try TemporaryDirectory() }

  private func converse(_ deed: TerminalConversation.Deed) async throws -> TerminalConversation.Outcome {
    let conversation = TerminalConversation(
      command: [Executable.path, "credentials", "set", "gemini", "--data-dir", "\(directory.path)/data"],
      environment: Executable.environment, prompt: "API key for gemini (not shown): ", deed: deed)
    return try await conversation.run()
  }

  private var kept: String? {
    try? String(contentsOfFile: "\(directory.path)/data/credentials.json", encoding: .utf8)
  }

  /// Whatever happened, the terminal is as it was, and was silent in between.
  private func expectTerminal(_ outcome: TerminalConversation.Outcome) {
    #expect(!outcome.showedWhileAsking)
    #expect(outcome.showsAfterwards)
    #expect(outcome.takesSignalsAfterwards)
    #expect(!outcome.screen.contains("typed"))
  }

  @Test("a key typed at a terminal is kept and never shown")
  func typed() async throws {
    let outcome = try await converse(.type("\(key)\n"))
    expectTerminal(outcome)
    #expect(outcome.status == 0)
    #expect(outcome.screen.contains("The key …7777 for gemini is kept in \(directory.path)/data/credentials.json"))
    #expect(kept?.contains(key) == true)
  }

  @Test("a key typed at a terminal can be corrected before the line ends")
  func corrected() async throws {
    let outcome = try await converse(.type("wrong\u{15}\(key)x\u{7F}\n"))
    expectTerminal(outcome)
    #expect(outcome.status == 0)
    #expect(kept?.contains("\"\(key)\"") == true)
  }

  @Test("a prompt that gets no key keeps nothing, says why and ends with 1", arguments: [
    ("\u{4}", "No key came"), ("\n", "This is no API key"), ("two typed words\n", "This is no API key"),
    // The keys that would quit or stop the command, and leave the terminal silent.
    ("typed\u{1C}\n", "This is no API key"), ("typed\u{1A}\n", "This is no API key"),
  ])
  func none(text: String, sentence: String) async throws {
    let outcome = try await converse(.type(text))
    expectTerminal(outcome)
    #expect(outcome.status == 1)
    #expect(outcome.screen.contains(sentence))
    #expect(kept == nil)
  }

  @Test("a prompt for a key is given up by Ctrl-C and by signals, with the terminal as it was", arguments: [
    (TerminalConversation.Deed.type("half a typed k\u{3}"), 128 + SIGINT), (.signal(SIGINT), 128 + SIGINT),
    (.signal(SIGTERM), 128 + SIGTERM),
  ])
  func givenUp(deed: TerminalConversation.Deed, status: Int32) async throws {
    let outcome = try await converse(deed)
    expectTerminal(outcome)
    #expect(outcome.status == status)
    #expect(kept == nil)
  }
}
