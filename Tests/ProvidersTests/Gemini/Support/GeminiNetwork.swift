import CurlHTTP
import GeminiSimulator
import Testing

@testable import Providers

/// The provider as it ships, with a simulator in Google's place.
enum GeminiNetwork {
  /// One for all tests, as in the service.
  static let client = CurlClient(CurlSettings(proxy: .none))

  static func provider(
    _ simulator: GeminiSimulator, stallLimitMs: Int = 30_000, model: String? = nil, keys: GeminiKeys = GeminiKeys()
  ) throws -> GeminiProvider {
    try provider(simulator.baseURL, stallLimitMs: stallLimitMs, model: model, keys: keys)
  }

  static func provider(
    _ baseUrl: String, stallLimitMs: Int = 30_000, model: String? = nil, keys: GeminiKeys = GeminiKeys()
  ) throws -> GeminiProvider {
    let settings = try CloudSettings.gemini.applying(
      CloudConfiguration(baseUrl: baseUrl, model: model, stallTimeoutMs: stallLimitMs))
    return GeminiProvider(settings: settings, http: client, keys: keys)
  }
}

/// Runs `body` with a simulator and ends it whatever happens.
func withSimulator<Value: Sendable>(
  _ options: SimulatorOptions = SimulatorOptions(), _ body: (GeminiSimulator) async throws -> Value
) async throws -> Value {
  var options = options
  options.threads = 1
  options.dripBytes = 512
  let simulator = try await GeminiSimulator.start(options)
  do {
    let value = try await body(simulator)
    await simulator.stop()
    return value
  } catch {
    await simulator.stop()
    throw error
  }
}
