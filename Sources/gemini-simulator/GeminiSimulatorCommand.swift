import ArgumentParser
import GeminiSimulator
import Glibc
import JSON
import POSIX

/// The command line of the simulator.
@main
struct GeminiSimulatorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gemini-simulator",
    abstract: "Answers as Google's Gemini image API and OpenAI's Images API do, on 127.0.0.1, without a key.",
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

      Under /_simulator/, for tests in another process:

        PUT    faults               a scenario, or {"always": step}; GET shows, DELETE clears
        GET    requests             what was seen; ?count=2&state=answered waits until two got so far
        GET    requests/1           one of them; ?state=closedByPeer waits
        DELETE requests             forgets them
        GET    connections          who opened and closed what, and when
        POST   release/1            lets a request go on that "hold" stopped; without a number, all
      """)

  @OptionGroup var options: SimulatorCommandOptions

  @Flag(help: "Name every fault, one a line, and end.")
  var listFaults = false

  @Flag(help: "End when the process that started this one does.")
  var watchParent = false

  @Flag(help: "End when standard input does.")
  var untilEof = false

  func run() async throws {
    if listFaults { return Self.printFaults() }
    let simulator: GeminiSimulator
    do {
      simulator = try await GeminiSimulator.start(try options.simulatorOptions())
    } catch let error as ScenarioError {
      throw ValidationError(error.description)
    }
    let leave: @Sendable () -> Void = { Task { await Self.leave(simulator) } }
    try TerminationSignals.watch { _ in leave() }
    let parent = watchParent ? try ProcessWatch.parent(died: leave) : nil
    defer { parent?.stop() }
    if untilEof { try DedicatedThread.start { Self.waitForEndOfInput(then: leave) } }
    let ready: JSONValue = ["port": .number(JSONNumber(simulator.port)), "baseUrl": .string(simulator.baseURL)]
    print(ready.serializedText)
    fflush(nil)
    // Until a signal, the parent or the input ends the process.
    while true { try await Task.sleep(for: .seconds(86_400)) }
  }

  private static func printFaults() {
    let width = Fault.allCases.map(\.name.count).max() ?? 0
    for fault in Fault.allCases {
      print(fault.name + String(repeating: " ", count: width + 2 - fault.name.count) + fault.summary)
    }
  }

  private static func leave(_ simulator: GeminiSimulator) async {
    await simulator.stop()
    Glibc.exit(0)
  }

  private static func waitForEndOfInput(then leave: () -> Void) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
      if count == 0 || count < 0 && errno != EINTR { return leave() }
    }
  }
}
