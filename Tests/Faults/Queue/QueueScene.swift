import Foundation
import GeminiSimulator
import Glibc
import JSON
import Support
import Synchronization
import Testing

/// Services of one data directory whose provider can be switched off and on, at one address.
final class QueueScene: Sendable {
  let folder: TemporaryDirectory
  let data: String
  private let configuration: String
  private let port: Int
  private let simulator = Mutex<GeminiSimulator?>(nil)
  private let seen = Mutex<[RequestRecord]>([])

  /// - Parameters:
  ///   - places: how many pictures a service asks for at the same time.
  ///   - geocoder: the address of a geocoder.
  init(places: Int = 8, data: String? = nil, geocoder: String? = nil) async throws {
    folder = try TemporaryDirectory()
    self.data = try data ?? folder.makeFolder("data")
    configuration = try folder.write(
      "config.json",
      Array(
        """
        {"queue": {"probeMs": 50, "maximumProbeMs": 200},
         \(geocoder.map { #""geocoder": {"baseUrl": "\#($0)"},"# } ?? "")
         "providers": {"gemini": {"maximumConcurrentImages": \(places)}}}
        """.utf8))
    port = try await Self.silentPort()
  }

  /// A port that was free a moment ago, at which nobody listens now: below those the system gives to who calls, or one
  /// that looks for the provider could be given its very port, and find itself.
  private static func silentPort() async throws -> Int {
    var options = SimulatorOptions()
    for _ in 0..<100 {
      options.port = Int.random(in: 20_000..<32_000)
      guard let finder = try? await GeminiSimulator.start(options) else { continue }
      await finder.stop()
      return options.port
    }
    throw POSIXError(.EADDRINUSE)
  }

  func service() throws -> ServiceChild {
    try ServiceChild(
      dataDirectory: data, ["--config", configuration],
      environment: [
        "GEMINI_API_KEY=\(CloudScene.key)", "GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:\(port)", "no_proxy=127.0.0.1",
      ])
  }

  /// Has the provider answer from now on.
  func switchOn() async throws {
    var options = SimulatorOptions()
    options.port = port
    let started = try await GeminiSimulator.start(options)
    simulator.withLock { $0 = started }
  }

  /// Has nobody answer from now on; what is under way breaks off.
  func switchOff() async {
    let running = simulator.withLock { simulator in
      defer { simulator = nil }
      return simulator
    }
    guard let running else { return }
    await running.stop()
    seen.withLock { $0 += running.requests }
  }

  /// The prompts of all pictures the provider was ever asked for.
  var prompts: [String] {
    let now = simulator.withLock { $0?.requests } ?? []
    return (seen.withLock { $0 } + now).filter { $0.operation.isGenerating }.compactMap { $0.facts?.prompt }
  }

  /// The params of a picture that may wait for its provider.
  static func patient(_ prompt: String, _ members: JSONObject = [:]) -> JSONValue {
    var members = members
    members["whenOffline"] = "queue"
    return CloudScene.create(prompt, members)
  }

  /// What the database says of each generation.
  func states() throws -> [String: String] { try DataDirectoryAudit(path: data).states() }
}
