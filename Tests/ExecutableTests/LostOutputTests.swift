import Foundation
import GeminiSimulator
import JSON
import ServiceFixture
import Support
import Testing

@Suite("A command whose output cannot be written", .serialized, .timeLimit(.minutes(5)))
struct LostOutputTests {
  private let directory: TemporaryDirectory
  private let simulator: GeminiSimulator
  private let photo = Fixture.path("portraits/astronaut.png")
  private var data: String { directory.path("data") }

  init() async throws {
    directory = try TemporaryDirectory()
    simulator = try await GeminiSimulator.start(SimulatorOptions())
  }

  private func run(
    _ arguments: [String], input: String = "", output: Executable.Output = .kept
  ) async throws -> Executable.Outcome {
    try await Executable.run(
      arguments,
      environment: [
        "GEMINI_API_KEY": "an-invented-key-0123456789", "GOOGLE_GEMINI_BASE_URL": simulator.baseURL,
        "no_proxy": "127.0.0.1", "ATELIER_DATA_DIR": data,
      ], input: input, output: output)
  }

  /// What a command needs to print something, and to print it again.
  private struct Use {
    var arguments: [String] = []
    var input = ""
  }

  /// They need a database on a server, and are tried with one in ``StoreCommandTests``.
  private static let onServers: Set = [["store", "prepare"], ["store", "copy"]]

  /// - Returns: one use of each other command.
  private func uses() async throws -> [[String]: Use] {
    let made = try #require(try await run(["generate", photo, "--no-output", "--json"]).lines.first)
    let id = try #require(try JSONValue(parsing: Array(made.utf8))["generationId"]?.string)
    let places = try directory.write(
      "places.json",
      (["geocoder": ["baseUrl": .string(simulator.baseURL), "requestsPerSecond": 1000]] as JSONValue).serialized())
    let model = try directory.write("model.tflite", PersonModel.of(constant: 0.5))
    let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"# + "\n"
    try directory.makeFolder("export")
    let anna = ["--account", "anna"]
    return [
      ["serve"]: Use(input: ping), ["mcp", "serve"]: Use(input: ping), ["mcp", "config"]: Use(),
      ["generate"]: Use(arguments: [photo, "--no-output", "--json"]),
      ["edit"]: Use(arguments: [photo, "--no-output", "--prompt", "a red jacket"]),
      ["hairstyle"]: Use(arguments: [photo, "--no-output", "--template", "short-boxed-beard"]),
      ["create"]: Use(arguments: ["a lighthouse", "--no-output"]),
      ["places"]: Use(arguments: ["coffee in Austin", "--config", places]),
      ["prepare"]: Use(arguments: [photo]), ["status"]: Use(arguments: [id]), ["watch"]: Use(arguments: [id]),
      ["cancel"]: Use(arguments: [try await cancelled()]), ["history"]: Use(arguments: ["--json"]),
      ["show"]: Use(arguments: [id]),
      ["delete"]: Use(arguments: ["--all", "--account", "nobody"]),
      ["export"]: Use(arguments: [directory.path("export")]), ["templates"]: Use(), ["providers"]: Use(),
      ["passports"]: Use(),
      ["models", "add"]: Use(arguments: ["a", "--file", model, "--licence", "CC0-1.0", "--replace"]),
      ["models", "list"]: Use(arguments: ["--json"]), ["models", "remove"]: Use(arguments: ["nothing"]),
      ["credentials", "set"]: Use(arguments: ["openai"], input: "an-invented-key-9876543210\n"),
      ["credentials", "status"]: Use(), ["credentials", "delete"]: Use(arguments: ["openai"]),
      ["credits", "grant"]: Use(arguments: anna + ["--amount", "9", "--reason", "x"]),
      ["credits", "revoke"]: Use(arguments: anna + ["--amount", "1", "--reason", "x"]),
      ["credits", "show"]: Use(arguments: anna), ["credits", "history"]: Use(arguments: anna),
      ["credits", "audit"]: Use(arguments: ["--json"]),
      ["account", "show"]: Use(arguments: ["anna"]),
      ["account", "sign-in"]: Use(arguments: ["anna", "--identity", "email:anna@example.org"]),
      ["account", "sign-out"]: Use(arguments: ["anna"]),
      ["account", "consent"]: Use(arguments: ["anna", "--accepts", "2026-11"]),
      ["account", "delete"]: Use(arguments: ["ben"]),
      ["account", "set"]: Use(arguments: ["anna", "--tier", "free"]),
      ["backup"]: Use(arguments: [directory.path("backup")]),
      ["restore"]: Use(arguments: [directory.path("backup"), "--data-dir", directory.path("restored")]),
      ["config", "get"]: Use(arguments: ["geocoder", "--config", places]),
      ["config", "set"]: Use(arguments: ["historyDays", "9", "--config", places]),
      ["config", "path"]: Use(arguments: ["--config", places]), ["config", "check"]: Use(arguments: ["--config", places]),
      ["doctor"]: Use(arguments: ["--json"]), ["metrics"]: Use(), ["schema"]: Use(),
    ]
  }

  /// A generation that is cancelled, and can be cancelled again.
  private func cancelled() async throws -> String {
    let service = try ServiceProcess(["--data-dir", data])
    let params: JSONValue = [
      "recipe": "headshot", "image": ["path": .string(photo)], "detach": true, "output": ["count": 4],
    ]
    let id = try #require(try await service.host.call(1, "generate", params)?["result"]?["generationId"]?.string)
    let state = try await service.host.call(2, "cancel", ["generationId": .string(id)])?["result"]?["state"]
    #expect(state == "cancelled")
    _ = await service.finish()
    return id
  }

  @Test("a command whose output is lost ends with 1 and one sentence; without one where nobody reads any more")
  func everyCommand() async throws {
    let uses = try await uses()
    for command in try await CommandTree().commands where !Self.onServers.contains(command) {
      let name = command.joined(separator: " ")
      guard let use = uses[command] else {
        Issue.record("`atelier \(name)` is new: say what it needs to print something")
        continue
      }
      try await LostOutput.expect(of: name) { output in
        try await run(command + use.arguments, input: use.input, output: output)
      }
    }
  }

  @Test("a command whose output is lost ends so for help, the version and completion scripts")
  func help() async throws {
    let general = [
      ["--version"], ["help"], ["--experimental-dump-help"], ["--generate-completion-script", "bash"],
      ["--generate-completion-script", "zsh"], ["--generate-completion-script", "fish"], ["mcp", "config", "claude"],
    ]
    for arguments in general + (try await CommandTree().all.map { $0 + ["--help"] }) {
      #expect(try await run(arguments).status == 0, "\(arguments)")
      let full = try await run(arguments, output: .fullDisk)
      #expect(full.status == 1, "\(arguments)")
      #expect(full.errors == "atelier: Could not write to standard output: No space left on device.\n", "\(arguments)")
      let closed = try await run(arguments, output: .closedPipe)
      #expect(closed.status == 1 && closed.errors == "", "\(arguments): \(closed.errors)")
    }
  }

  @Test("a command whose output is lost has done its work all the same, all of it")
  func work() async throws {
    let ids = try await [cancelled(), cancelled(), cancelled()]
    #expect(try await run(["delete"] + ids, output: .fullDisk).status == 1)
    for id in ids { #expect(try await run(["status", id]).errors.contains("There is no generation"), "\(id)") }
  }

  @Test("a command whose output is lost keeps the status of another failure")
  func otherFailure() async throws {
    let outcome = try await run(["history", "--nonsense"], output: .fullDisk)
    #expect(outcome.status == 2 && !outcome.errors.contains("standard output"))
    // The findings are lost, and one of them is a fault.
    let file = try directory.write("file", [1])
    let doctor = try await run(["doctor", "--data-dir", file], output: .fullDisk)
    #expect(doctor.status == 1 && doctor.errors.contains("standard output"))
  }

  @Test("a command tells where the picture is that it could not write", arguments: [Executable.Output.fullDisk, .none])
  func picture(output: Executable.Output) async throws {
    let outcome = try await run(["generate", photo, "-o", "-"], output: output)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("The picture is made and kept: \(data)"), "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count { $0.contains("standard output") } == 1, "\(outcome.errors)")
  }
}
