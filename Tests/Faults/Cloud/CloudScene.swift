import GeminiSimulator
import JSON
import Support
import Testing

/// A simulator of the cloud, and services that use it with a key they must never show.
struct CloudScene: Sendable {
  /// Like a real one, so that nothing hides it for its look.
  static let key = "AIzaSyTest-0123456789-abcdefghijk-QRSTU"

  let scene: Scene
  let simulator: GeminiSimulator

  init(_ options: SimulatorOptions = SimulatorOptions()) async throws {
    scene = try Scene()
    simulator = try await GeminiSimulator.start(options)
  }

  /// A service with the key, on a data directory of that name.
  func service(_ arguments: [String] = [], data: String = "data", key: String = key) throws -> ServiceChild {
    try ServiceChild(
      dataDirectory: try scene.folder.makeFolder(data), arguments,
      environment: [
        "GEMINI_API_KEY=\(key)", "GOOGLE_GEMINI_BASE_URL=\(simulator.baseURL)", "OPENAI_API_KEY=\(key)",
        "OPENAI_BASE_URL=\(simulator.baseURL)/v1", "no_proxy=127.0.0.1",
      ])
  }

  /// The params of a picture from words, which is made each time.
  static func create(_ prompt: String, provider: String = "gemini", _ members: JSONObject = [:]) -> JSONValue {
    var params: JSONObject = [
      "recipe": "create", "prompt": .string(prompt), "provider": .string(provider), "cache": "bypass",
    ]
    for (name, value) in members { params[name] = value }
    return .object(params)
  }

  /// The params of an edit of the scene's photo.
  func edit(_ prompt: String, provider: String = "gemini") -> JSONValue {
    [
      "recipe": "edit", "prompt": .string(prompt), "provider": .string(provider), "image": scene.image,
      "cache": "bypass",
    ]
  }
}
