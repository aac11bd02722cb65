import Foundation
import GeminiSimulator
import Glibc
import JSON
import ServiceFixture
import Support
import Testing

@Suite("A command that a signal ends", .serialized, .timeLimit(.minutes(3)))
struct CommandSignalTests {
  private let directory: TemporaryDirectory
  private let simulator: GeminiSimulator
  private let photo = Fixture.path("portraits/astronaut.png")

  init() async throws {
    directory = try TemporaryDirectory()
    simulator = try await GeminiSimulator.start(SimulatorOptions())
  }

  private var environment: [String] {
    [
      "GEMINI_API_KEY=an-invented-key-0123456789", "GOOGLE_GEMINI_BASE_URL=\(simulator.baseURL)", "no_proxy=127.0.0.1",
      "ATELIER_DATA_DIR=\(directory.path("data"))",
    ]
  }

  /// Starts a command whose provider never answers, and returns once it was asked.
  private func begin(_ arguments: [String]) async throws -> ServiceChild {
    let asked = simulator.requests.count
    let child = try ServiceChild(command: [Executable.path] + arguments, environment: environment)
    try await simulator.waitForRequest(asked + 1)
    return child
  }

  private func history() async throws -> [JSONValue] {
    let outcome = try await Executable.run(
      ["history", "--json"], environment: ["ATELIER_DATA_DIR": directory.path("data")])
    return try JSONValue(parsing: Array(outcome.output.utf8))["entries"]?.array ?? []
  }

  @Test(
    "an interrupted command ends with 128 and the signal's number, and has cancelled what it began",
    arguments: [SIGINT, SIGTERM, SIGHUP])
  func cancelled(signal: Int32) async throws {
    let places = try directory.write(
      "places.json",
      (["geocoder": ["baseUrl": .string(simulator.baseURL), "requestsPerSecond": 1000]] as JSONValue).serialized())
    let commands = [
      ["create", "a lighthouse [[fault:stall-before-head]]"],
      ["edit", photo, "--prompt", "red [[fault:stall-before-head]]"],
      ["places", "coffee [[fault:stall-before-head]]", "--config", places],
    ]
    for (number, command) in commands.enumerated() {
      let child = try await begin(command)
      child.signal(signal)
      #expect(try await child.ended() == .exited(128 + signal), "\(command[0]): \(child.errorText)")
      #expect(child.errorText.hasSuffix("atelier: Cancelled.\n"), "\(command[0]): \(child.errorText)")
      let entries = try await history()
      #expect(entries.count == number + 1 && entries[0]["state"] == "cancelled", "\(command[0])")
    }
  }

  @Test("an interrupted command counts what it had made, of several")
  func several() async throws {
    let other = directory.path("other.png")
    try FileManager.default.copyItem(atPath: photo, toPath: other)
    let child = try await begin(["edit", photo, other, "--prompt", "red [[fault:stall-before-head]]"])
    child.signal(SIGINT)
    #expect(try await child.ended() == .exited(128 + SIGINT))
    let end = "atelier: 0 of 2 made, 2 cancelled. The same command goes on with the rest.\n"
    #expect(child.errorText.hasSuffix(end), "\(child.errorText)")
  }

  @Test("an interrupted watch leaves alone what it only watched")
  func watch() async throws {
    let service = try ServiceChild(command: [Executable.path], environment: environment)
    let params: JSONValue = [
      "recipe": "create", "prompt": "a lighthouse [[fault:stall-before-head]]", "provider": "gemini", "detach": true,
    ]
    let id = try #require(try await service.call("generate", params)["result"]?["generationId"]?.string)
    let watch = try ServiceChild(command: [Executable.path, "watch", id], environment: environment)
    // It shows how far the generation is, so it watches.
    try await watch.waitForErrorText { !$0.isEmpty }
    watch.signal(SIGINT)
    #expect(try await watch.ended() == .exited(128 + SIGINT))
    #expect(watch.errorText.hasSuffix("atelier: No longer watched. The generation goes on.\n"), "\(watch.errorText)")
    let state = try await service.call("status", ["generationId": .string(id)])["result"]?["state"]
    #expect(state == "running" || state == "queued")
    try await service.killed()
  }

  @Test("a command whose work another process has cancelled does not end as one that a signal ends")
  func byOthers() async throws {
    let child = try await begin(["create", "a lighthouse [[fault:stall-before-head]]"])
    let id = try #require(try await history().first?["generationId"]?.string)
    let cancel = try await Executable.run(["cancel", id], environment: ["ATELIER_DATA_DIR": directory.path("data")])
    #expect(cancel.status == 0, "\(cancel.errors)")
    #expect(try await child.ended() == .exited(1))
    #expect(child.errorText.hasSuffix("atelier: Cancelled.\n"), "\(child.errorText)")
  }
}
