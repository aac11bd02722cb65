import ArgumentParser
import Foundation
import JSON
import Support
import ServiceFixture
import Testing

@testable import atelier

@Suite("The command that the arguments name", .timeLimit(.minutes(2)))
struct CommandPathTests {
  @Test("a command is found behind global options, and takes them", arguments: [
    (["doctor"], ["doctor"]),
    (["--data-dir", "x", "doctor", "--json"], ["doctor", "--data-dir", "x", "--json"]),
    (["--data-dir=x", "--config", "c", "--log-level", "info", "history"],
      ["history", "--data-dir=x", "--config", "c", "--log-level", "info"]),
    (["--data-dir", "x", "credits", "--config", "c", "show", "--account", "a"],
      ["credits", "show", "--data-dir", "x", "--config", "c", "--account", "a"]),
    // Where both are given, the later one counts, as always.
    (["--data-dir", "x", "history", "--data-dir", "y"], ["history", "--data-dir", "x", "--data-dir", "y"]),
    (["--data-dir", "x", "generate", "--", "-photo"], ["generate", "--data-dir", "x", "--", "-photo"]),
    // The value of an option may be the name of a command.
    (["--data-dir", "history"], ["serve", "--data-dir", "history"]),
    (["--data-dir", "x", "credits"], ["credits"]),
    // A command may have a subcommand that stands for none.
    (["mcp", "--wait", "9"], ["mcp", "serve", "--wait", "9"]), (["--config", "c", "mcp"], ["mcp", "serve", "--config", "c"]),
    (["mcp", "config", "zed"], ["mcp", "config", "zed"]), (["mcp", "--help"], ["mcp", "--help"]),
    // Without a command, it serves.
    (["--trace", "t"], ["serve", "--trace", "t"]),
    (["--data-dir", "x", "--watch-parent"], ["serve", "--data-dir", "x", "--watch-parent"]),
    (["--data-dir"], ["serve", "--data-dir"]),
    (["--data-dir", "x", "--help"], ["--help"]), (["--version"], ["--version"]),
    (["--data-dir", "x", "help", "credits"], ["help", "credits"]),
    (["--generate-completion-script", "bash"], ["--generate-completion-script", "bash"]),
  ])
  func found(given: [String], parsed: [String]) throws {
    #expect(try CommandPath(given, of: AtelierCommand.configuration).arguments == parsed)
  }

  @Test("a command is guessed where it is nearly right", arguments: [
    (["generat"], "“generat” is not a command. Did you mean “generate”?"),
    (["genrate", "photo.jpg"], "“genrate” is not a command. Did you mean “generate”?"),
    (["--data-dir", "x", "histroy"], "“histroy” is not a command. Did you mean “history”?"),
    (["credits", "grent"], "“credits grent” is not a command. Did you mean “credits grant”?"),
    (["photo.jpg"], "“photo.jpg” is not a command. `atelier --help` lists the commands."),
    (["mcp", "confg"], "“mcp confg” is not a command. Did you mean “mcp config”?"),
    (["credits", "anna"], "“credits anna” is not a command. `atelier credits --help` lists the commands."),
    ([""], "“” is not a command. `atelier --help` lists the commands."),
    ([String(repeating: "generate", count: 10_000)], "is not a command. `atelier --help` lists the commands."),
  ])
  func guessed(given: [String], sentence: String) throws {
    let error = try #require(throws: ValidationError.self) {
      try CommandPath(given, of: AtelierCommand.configuration)
    }
    #expect(error.message.hasSuffix(sentence), "\(error.message)")
  }

  @Test("the executable takes a command behind global options, and guesses one that is nearly right")
  func executable() async throws {
    let directory = try TemporaryDirectory()
    let data = "\(directory.path)/data"
    let outcome = try await Executable.run(["--data-dir", data, "history"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(FileManager.default.fileExists(atPath: "\(data)/atelier.sqlite"))
    let unknown = try await Executable.run(["generat"])
    #expect(unknown.status == 2)
    #expect(unknown.output.isEmpty)
    #expect(unknown.errors.hasPrefix("Error: “generat” is not a command. Did you mean “generate”?\n"))
  }

  @Test("the command without arguments is serve, which says at a terminal what it waits for")
  func terminal() async throws {
    let directory = try TemporaryDirectory()
    for arguments in [[], ["serve"]] {
      let conversation = TerminalConversation(
        command: [Executable.path] + arguments,
        environment: Executable.environment.merging(["ATELIER_DATA_DIR": "\(directory.path)/data"]) { $1 },
        prompt: "atelier: Waiting for JSON-RPC requests, one in each line. `atelier --help` lists the commands",
        deed: .type("\u{4}"))
      #expect(try await conversation.run().status == 0)
    }
    let piped = try await Executable.run(["serve", "--data-dir", "\(directory.path)/data"])
    #expect(piped.errors.isEmpty)
  }
}
