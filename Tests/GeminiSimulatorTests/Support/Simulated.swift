import GeminiSimulator
import JSON
import Testing

/// Runs a test with a simulator of its own, and stops it in any case.
func withSimulator(
  _ change: (inout SimulatorOptions) -> Void = { _ in }, _ body: (GeminiSimulator) async throws -> Void
) async throws {
  var options = SimulatorOptions()
  change(&options)
  let simulator = try await GeminiSimulator.start(options)
  do {
    try await body(simulator)
  } catch {
    await simulator.stop()
    throw error
  }
  await simulator.stop()
}

extension GeminiSimulator {
  /// One request over a connection of its own.
  func exchange(_ request: RawRequest) async throws -> RawResponse {
    try await RawConnection(port: port).exchange(request)
  }
}

extension RawResponse {
  /// The parts of the first candidate.
  var parts: [JSONValue] { get throws { try json["candidates"]?[0]?["content"]?["parts"]?.array ?? [] } }

  /// The pictures of the answer that are no thoughts, as they are encoded.
  var encodedPictures: [String] {
    get throws {
      try parts.filter { $0["thought"]?.bool != true }.compactMap { $0["inlineData"]?["data"]?.string }
    }
  }

  /// The same, decoded.
  var pictures: [[UInt8]] { get throws { try encodedPictures.map { try #require(Decoded.base64($0)) } } }

  /// The `error` of an error.
  var error: JSONValue? { (try? json)?["error"] }
}

extension JSONValue {
  /// The value with a member of an object in it replaced, added, or, with nil, removed.
  func with(_ path: String..., value: JSONValue?) -> JSONValue { with(path[...], value) }

  private func with(_ path: ArraySlice<String>, _ value: JSONValue?) -> JSONValue? {
    guard let key = path.first else { return value }
    if let index = Int(key), var array = array {
      array[index] = array[index].with(path.dropFirst(), value) ?? .null
      return .array(array)
    }
    var object = object ?? [:]
    object[key] = (object[key] ?? .object([:])).with(path.dropFirst(), value)
    return .object(object)
  }

  private func with(_ path: ArraySlice<String>, _ value: JSONValue?) -> JSONValue {
    (with(path, value) as JSONValue?) ?? .null
  }
}
