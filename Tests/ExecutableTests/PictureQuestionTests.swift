import Foundation
import GeminiSimulator
import Glibc
import JSON
import ServiceFixture
import Support
import Testing

@testable import CommandArguments
@testable import atelier

@Suite("What a command that makes pictures asks at a terminal", .serialized, .timeLimit(.minutes(2)))
struct PictureQuestionTests {
  private let directory: TemporaryDirectory
  private let simulator: GeminiSimulator
  private let photo = Fixture.path("portraits/astronaut.png")

  init() async throws {
    directory = try TemporaryDirectory()
    simulator = try await GeminiSimulator.start(SimulatorOptions())
  }

  private var environment: [String: String] {
    [
      "GEMINI_API_KEY": "an-invented-key-0123456789", "GOOGLE_GEMINI_BASE_URL": simulator.baseURL,
      "no_proxy": "127.0.0.1", "ATELIER_DATA_DIR": directory.path("data"), "TERM": "dumb",
    ]
  }

  private func run(_ arguments: String...) async throws -> Executable.Outcome {
    try await Executable.run(arguments, environment: environment)
  }

  /// - Parameter words: what the person waits for before the deed.
  private func atTerminal(
    _ arguments: [String], until words: String, _ deed: TerminalConversation.Deed
  ) async throws -> TerminalConversation.Outcome {
    try await TerminalConversation(
      command: [Executable.path] + arguments, environment: Executable.environment.merging(environment) { $1 },
      prompt: words, deed: deed
    ).run()
  }

  private let question = "A picture there costs about $0.034. Go on? [y/N] "

  @Test("money is asked about before it is spent, and only yes spends it", arguments: [
    ("y\n", 0), ("YES\n", 0), ("n\n", 1), ("\n", 1), ("\u{4}", 1), ("perhaps\n", 1), ("\u{3}", 128 + SIGINT),
  ])
  func money(answer: String, status: Int32) async throws {
    let outcome = try await atTerminal(
      ["edit", photo, "--prompt", "a red jacket", "--no-output"], until: question, .type(answer))
    #expect(outcome.status == status, "\(outcome.screen)")
    #expect(simulator.requests.count == (status == 0 ? 1 : 0))
    let end = status == 1 ? "atelier: Nothing was done." : status == 0 ? directory.path("data") : "atelier: Cancelled."
    #expect(outcome.screen.contains(end), "\(outcome.screen)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path("data/processes")).isEmpty)
  }

  @Test("money is not asked about with --yes, in scripts, and where nothing costs any")
  func unasked() async throws {
    let agreed = try await atTerminal(["create", "a lighthouse", "--no-output", "--yes"], until: "$0.034", .type(""))
    #expect(agreed.status == 0 && !agreed.screen.contains("[y/N]"), "\(agreed.screen)")
    let script = try await run("create", "a lake", "--no-output")
    #expect(script.status == 0 && !script.errors.contains("[y/N]"), "\(script.errors)")
    let local = try await atTerminal(["generate", photo, "--no-output"], until: "nothing leaves", .type(""))
    #expect(local.status == 0 && !local.screen.contains("[y/N]"), "\(local.screen)")
  }

  private func inShell(
    _ script: String, until words: String, _ deed: TerminalConversation.Deed
  ) async throws -> TerminalConversation.Outcome {
    let variables = ["A": Executable.path, "PHOTO": photo, "ERRORS": directory.path("errors.txt")]
    return try await TerminalConversation(
      command: ["/bin/bash", "-c", script],
      environment: Executable.environment.merging(environment) { $1 }.merging(variables) { $1 },
      prompt: words, deed: deed
    ).run()
  }

  @Test("money is asked about at the terminal of the session where a stream leads elsewhere", arguments: [
    "$A edit - --prompt red --no-output < $PHOTO", "$A create boat --no-output < /dev/null",
    "$A create boat --no-output < /dev/null | cat", "$A create boat --no-output 2> $ERRORS",
  ])
  func redirected(script: String) async throws {
    // The notice before the question leads to the file.
    let whole = (script.contains("$ERRORS") ? "sent there. A picture there costs about $0.034. " : "") + "Go on? [y/N] "
    _ = try await inShell(script, until: whole, .type("n\n"))
    #expect(simulator.requests.isEmpty)
    _ = try await inShell(script, until: whole, .type("y\n"))
    #expect(simulator.requests.count == 1)
  }

  @Test("money is not asked about in the background, nor where a program has taken all streams", arguments: [
    "set -m; $A create boat --no-output < /dev/null & wait $!; echo ended",
    "SAID=$($A create boat --no-output 2>&1 < /dev/null); echo ended",
  ])
  func nobodyToAsk(script: String) async throws {
    let outcome = try await inShell(script, until: "ended", .type(""))
    #expect(!outcome.screen.contains("[y/N]") && simulator.requests.count == 1, "\(outcome.screen)")
  }

  @Test("money is told for all pictures, and for their model and size where that price is known", arguments: [
    (["--count", "3"], "3 pictures there cost about $0.101."),
    (["--count", "3", "--size", "2K"],
      "3 pictures of its default model in the standard size cost about $0.101; these may differ."),
    (["--size", "2K"], "A picture of its default model in the standard size costs about $0.034; this may differ."),
    (["--count", "2", "--size", "4K", "--model", "gemini-3-pro-image"], "2 pictures there cost about $0.480."),
    (["--model", "gemini-3-pro-image"], "A picture there costs about $0.134."),
  ])
  func amounts(options: [String], sentence: String) async throws {
    let outcome = try await atTerminal(["create", "a boat", "--no-output"] + options, until: "Go on? [y/N] ", .type("n\n"))
    #expect(outcome.screen.contains(sentence) && simulator.requests.isEmpty, "\(outcome.screen)")
  }

  /// A call of each command that starts work that may cost.
  private var paid: [[String]] {
    get throws {
      let settings: JSONValue = ["geocoder": ["baseUrl": .string(simulator.baseURL), "requestsPerSecond": 1000]]
      let configuration = try directory.write("places.json", settings.serialized())
      let rows = "name,latitude,longitude\nHoundstooth Coffee,30.2667,-97.7428\n"
      let list = try directory.write("list.csv", Array(rows.utf8))
      let places = ["places", "coffee in Austin", "--config", configuration]
      return [
        ["generate", photo, "--recipe", "edit", "--prompt", "blue", "--no-output"],
        ["generate", photo, "--provider", "gemini", "--no-output"], ["edit", photo, "--prompt", "red", "--no-output"],
        ["hairstyle", photo, "--prompt", "short", "--no-output"], ["create", "a lighthouse", "--no-output"],
        places, places + ["--from", list],
      ]
    }
  }

  @Test("money is asked about by every command that may spend it, and is not spent without an answer")
  func everyCommand() async throws {
    // Whoever may choose a provider starts work there; history only looks for what it made.
    let declarations = KnownOptions.declarations(of: AtelierCommand.self)
    let starting = try await CommandTree().commands.filter { command in
      KnownOptions(declarations, in: command).namesWithValue.contains("--provider") && command != ["history"]
    }
    #expect(try Set(starting.map { $0[0] }) == Set(paid.map { $0[0] }))
    for arguments in try paid {
      let refused = try await atTerminal(arguments, until: "Go on? [y/N] ", .type("n\n"))
      #expect(refused.status == 1 && refused.screen.contains("atelier: Nothing was done."), "\(refused.screen)")
      #expect(simulator.requests.isEmpty, "\(arguments)")
    }
    for arguments in try paid {
      let before = simulator.requests.count
      let agreed = try await atTerminal(arguments + ["--yes"], until: "sent there", .type(""))
      #expect(agreed.status == 0 && !agreed.screen.contains("[y/N]"), "\(agreed.screen)")
      #expect(simulator.requests.count > before, "\(arguments)")
    }
  }

  @Test("money is spent in one place of the command line, which needs the agreement")
  func onePlace() throws {
    let folder = "\(Fixture.project)/Sources/Service/atelier"
    let files = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
    let spending = try files.filter { $0.hasSuffix(".swift") }.filter {
      try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8).contains("generations.generate(")
    }
    #expect(spending == ["Pictures/CostAgreement.swift"])
  }

  @Test("credits are asked about as money is")
  func credits() async throws {
    #expect(try await run("credits", "grant", "--account", "anna", "--amount", "4", "--reason", "x").status == 0)
    let outcome = try await atTerminal(
      ["create", "a lighthouse", "--account", "anna", "--no-output"],
      until: "The account “anna” is charged at most 1 credit. Go on? [y/N] ", .type("n\n"))
    #expect(outcome.status == 1 && simulator.requests.isEmpty, "\(outcome.screen)")
  }

  @Test("a result of history is neither announced as sent nor asked about")
  func history() async throws {
    let arguments = ["edit", photo, "--prompt", "a red jacket", "--no-output"]
    #expect(try await Executable.run(arguments, environment: environment).status == 0)
    let again = try await atTerminal(arguments, until: "from history, at no cost", .type(""))
    #expect(again.status == 0 && again.screen.contains("atelier: The same as on 20"), "\(again.screen)")
    #expect(again.screen.contains("--cache bypass makes a new one.") && !again.screen.contains("sent there"))
    #expect(!again.screen.contains("[y/N]") && simulator.requests.count == 1)
    let new = try await atTerminal(arguments + ["--cache", "bypass"], until: question, .type("y\n"))
    #expect(new.status == 0 && simulator.requests.count == 2, "\(new.screen)")
    let other = Fixture.path("portraits/grace_hopper.jpg")
    let both = try await run("edit", photo, other, "--prompt", "a red jacket", "--no-output")
    #expect(both.errors.contains("1 of 2 are the same as earlier ones: from history, at no cost"), "\(both.errors)")
    #expect(both.errors.contains("your photo is sent there. A picture there costs about $0.034."), "\(both.errors)")
    #expect(simulator.requests.count == 3)
  }

  @Test("a file that Atelier has not made is asked about before it is replaced", arguments: [true, false])
  func replacing(agrees: Bool) async throws {
    let target = try directory.write("me.jpg", [1, 2, 3])
    let asked = try await atTerminal(
      ["generate", photo, "-o", target], until: "me.jpg is there, and Atelier has not made it. Replace it? [y/N] ",
      .type(agrees ? "y\n" : "n\n"))
    #expect(asked.status == (agrees ? 0 : 1), "\(asked.screen)")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: target))
    #expect((bytes == Data([1, 2, 3])) == !agrees)
    guard agrees else { return }
    // Its own picture it replaces without a question, as a script and --yes do with everything.
    let own = try await atTerminal(
      ["generate", photo, "--background", "casual", "-o", target], until: "nothing leaves", .type(""))
    #expect(own.status == 0 && !own.screen.contains("[y/N]"), "\(own.screen)")
    try directory.write("me.jpg", [1, 2, 3])
    let yes = try await atTerminal(["generate", photo, "-o", target, "-y"], until: "from history", .type(""))
    #expect(yes.status == 0 && !yes.screen.contains("[y/N]"), "\(yes.screen)")
    try directory.write("me.jpg", [1, 2, 3])
    #expect(try await run("generate", photo, "-o", target).status == 0)
  }
}
