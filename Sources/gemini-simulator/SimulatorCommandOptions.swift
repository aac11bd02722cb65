import ArgumentParser
import GeminiSimulator
import Glibc
import JSON
import POSIX

/// How the simulator behaves, from the command line.
struct SimulatorCommandOptions: ParsableArguments {
  @Option(help: "The port on 127.0.0.1; 0 for any free one.")
  var port = 0

  @Option(name: .customLong("latency-ms"), help: "How long an answer takes to begin.")
  var latency = 0

  @Option(help: "What requests for pictures meet, by name (--list-faults).")
  var fault: String?

  @Option(help: "A file with a JSON list of steps that requests for pictures use up, in order.")
  var scenario: String?

  @Option(help: "Make the file of a picture exactly so many bytes long.")
  var imageBytes: Int?

  @Option(help: "Make each side of a picture so many times smaller than the API would.")
  var pictureScale = 16

  @Flag(help: "Show thoughts, with an interim picture, also when they are not asked for.")
  var thoughts = false

  @Flag(help: "At the OpenAI endpoints, ask for no key and take any model, as local servers do.")
  var localServer = false

  @Flag(help: "Write a line a request to standard error: method, path, status, bytes.")
  var log = false

  /// - Throws: `ScenarioError` for a fault or a scenario that is not understood.
  func simulatorOptions() throws -> SimulatorOptions {
    var options = SimulatorOptions()
    options.port = port
    options.latencyMilliseconds = latency
    if let fault { options.always = try ScenarioStep(json: .string(fault)) }
    if let scenario { options.scenario = try ScenarioStep.list(json: try Self.read(scenario)) }
    options.imageBytes = imageBytes
    options.pictureScale = max(1, pictureScale)
    options.showsThoughts = thoughts
    options.isLocalServer = localServer
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
    guard imageBytes ?? 1000 >= 1000, imageBytes ?? 0 <= 1 << 30 else {
      throw ValidationError("--image-bytes must be from 1000 to 1073741824.")
    }
    guard pictureScale >= 1 else { throw ValidationError("--picture-scale must be at least 1.") }
  }

  private static func read(_ path: String) throws -> JSONValue {
    guard let file = fopen(path, "r") else { throw ValidationError("The scenario \(path) cannot be read.") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    do {
      return try JSONValue(parsing: bytes)
    } catch {
      throw ValidationError("The scenario \(path) is no JSON. \(error.message)")
    }
  }
}
