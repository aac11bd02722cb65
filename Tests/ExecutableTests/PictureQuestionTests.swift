import Foundation
import GeminiSimulator
import Glibc
import JSON
import ServiceFixture
import Support
import Testing

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
