import ArgumentParser
import GeminiSimulator
import Glibc
import JSON
import POSIX
import SimulatedIssuers

/// The command line of the simulator.
@main
struct GeminiSimulatorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gemini-simulator",
    abstract: "Answers as Google's Gemini API, OpenAI's API and the geocoder Nominatim do, on 127.0.0.1, without a key.",
    discussion: """
      Prints one line of JSON when it is ready, and ends on SIGTERM:

        gemini-simulator --port 8099
        {"port":8099,"baseUrl":"http://127.0.0.1:8099"}

      Any key is good, except those that begin with "bad". What goes wrong is said by --fault, --scenario,
      PUT /_simulator/faults, or the prompt itself: "a lighthouse [[fault:503-overloaded]] [[latency:2000]]".
      A prompt may also say [[image-bytes:N]].

      A scenario is a JSON list. Its steps are names of faults, "ok", or objects:

        ["429-minute", "ok", {"fault":"hold"}, {"fault":"finish:IMAGE_SAFETY","latencyMs":500},
         {"response":{"status":418,"headers":{"Retry-After":"7"},"body":{"error":"anything"}}}]

      Models that may call functions look places up, five in each of Austin, Ciudad de México, 東京, 北京 and दिल्ली, and
      list what was found. GET /search finds the same places; only steps of {"model":"nominatim"} are for it.

      Under /_simulator/, for tests in another process:

        PUT    faults               a scenario, or {"always": step}
        DELETE faults               clears both
        GET    requests             what was seen
        GET    requests/1           one of them; ?state=closedByPeer waits until it got so far
        GET    connections          who opened and closed what, and when
        POST   release/1            lets a request go on that "hold" stopped; without a number, all
        POST   rotate               changes the keys of --issuer-keys
      """,
    subcommands: [PurchaseCommand.self, IdentityCommand.self])

  @Option(help: "The port on 127.0.0.1; 0 for any free one.")
  var port = 0

  @Option(name: .customLong("latency-ms"), help: "How long an answer takes to begin.")
  var latency = 0

  @Option(help: "What requests for pictures meet, by name (--list-faults).")
  var fault: String?

  @Option(help: "A file with a JSON list of steps that requests for pictures use up, in order.")
  var scenario: String?

  @Option(help: "Make each side of a picture so many times smaller than the API would.")
  var pictureScale = 16

  @Flag(help: "At the OpenAI endpoints, ask for no key and take any model, as local servers do.")
  var localServer = false

  @Option(help: "A folder with the keys of an issuer, whose key set is served at /.well-known/jwks.json.")
  var issuerKeys: String?

  @Flag(help: "Write a line a request to standard error: method, path, status, bytes.")
  var log = false

  @Flag(help: "Name every fault, one a line, and end.")
  var listFaults = false

  func run() async throws {
    if listFaults { return Self.printFaults() }
    let simulator: GeminiSimulator
    do {
      simulator = try await GeminiSimulator.start(try simulatorOptions())
    } catch let error as ScenarioError {
      throw ValidationError(error.description)
    }
    try TerminationSignals.watch { _ in
      Task {
        await simulator.stop()
        Glibc.exit(0)
      }
    }
    let ready: JSONValue = ["port": .number(JSONNumber(simulator.port)), "baseUrl": .string(simulator.baseURL)]
    print(ready.serializedText)
    fflush(nil)
    // Until a signal ends the process.
    while true { try await Task.sleep(for: .seconds(86_400)) }
  }

  /// - Throws: `ScenarioError` for a fault or a scenario that is not understood.
  private func simulatorOptions() throws -> SimulatorOptions {
    var options = SimulatorOptions()
    options.port = port
    options.latencyMilliseconds = latency
    if let fault { options.always = try ScenarioStep(json: .string(fault)) }
    if let scenario { options.scenario = try ScenarioStep.list(json: try Self.read(scenario)) }
    options.pictureScale = pictureScale
    options.isLocalServer = localServer
    if let issuerKeys { options.issuerKeys = try IssuerFolder(issuerKeys) }
    // The control API does not show bodies.
    options.keepsBodies = false
    if log {
      let errors = StandardError()
      options.log = { errors.write($0) }
    }
    return options
  }

  func validate() throws {
    guard 0...65535 ~= port else { throw ValidationError("--port must be from 0 to 65535.") }
    guard latency >= 0, latency <= 1_000_000_000 else { throw ValidationError("--latency-ms must not be negative.") }
    guard pictureScale >= 1 else { throw ValidationError("--picture-scale must be at least 1.") }
  }

  private static func read(_ path: String) throws -> JSONValue {
    do {
      return try JSONValue(parsing: try FileSystem.readText(path))
    } catch let error as JSONSyntaxError {
      throw ValidationError("The scenario \(path) is no JSON. \(error.message)")
    } catch {
      throw ValidationError("The scenario \(path) cannot be read.")
    }
  }

  private static func printFaults() {
    let width = Fault.allCases.map(\.name.count).max() ?? 0
    for fault in Fault.allCases {
      print(fault.name + String(repeating: " ", count: width + 2 - fault.name.count) + fault.summary)
    }
  }
}
