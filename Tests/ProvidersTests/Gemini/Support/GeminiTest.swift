import AtelierProtocol
import Credentials
import CurlHTTP
import Encodings
import Foundation
import JSON
import Synchronization
import Testing

@testable import Providers

/// What the tests of this folder share.
enum GeminiTest {
  static let key = "AIzaSyTest-0123456789abcdefghijklmnopq"

  static func apiKey() throws -> APIKey { try #require(APIKey(key)) }

  static func photo(_ name: String = "plain.jpg") throws -> [UInt8] {
    let tests = URL(filePath: #filePath).pathComponents.prefix { $0 != "ProvidersTests" }.joined(separator: "/")
    return Array(try Data(contentsOf: URL(filePath: "\(tests)/Fixtures/images/\(name)")))
  }

  static func request(
    _ recipe: Recipe = .create, photo: [UInt8]? = nil, references: [[UInt8]] = [], prompt: String? = "a lighthouse",
    variation: Int = 0, model: String? = nil, temperature: Double? = nil, seed: Int? = nil,
    aspectRatio: String? = nil, size: String? = nil, timeoutMs: Int = 60_000
  ) -> ImageRequest {
    ImageRequest(
      recipe: recipe, photo: photo, references: references, prompt: prompt, variation: variation, model: model,
      temperature: temperature, seed: seed, aspectRatio: aspectRatio, size: size, timeoutMs: timeoutMs)
  }

  /// A response with the file `name` as its picture, and whatever else.
  static func response(
    picture name: String = "plain.png", part: JSONObject = [:], rest: JSONObject = [:]
  ) throws -> JSONObject {
    var picture = part
    picture["inlineData"] = ["mimeType": "image/png", "data": .string(Base64.encoded(try photo(name)))]
    var response: JSONObject = [
      "candidates": [
        [
          "content": ["role": "model", "parts": [["text": "Here you go."], .object(picture)]], "finishReason": "STOP",
          "index": 0,
        ]
      ]
    ]
    for (key, value) in rest { response[key] = value }
    return response
  }

  static func reading(model: String = "gemini-nano-banana-2.1") throws -> GeminiReading {
    GeminiReading(key: try apiKey(), model: model, sentBytes: 1234)
  }

  static func answer(_ json: JSONValue, status: Int = 200) throws -> GeminiAnswer {
    try answer(json.serialized(), status: status)
  }

  static func answer(_ body: [UInt8], status: Int = 200) throws -> GeminiAnswer {
    try reading().answer(HTTPResponse(status: status, headers: [], body: body))
  }

  /// The error that a response is.
  static func failure(_ body: [UInt8], status: Int) throws -> AtelierError {
    do {
      _ = try answer(body, status: status)
    } catch let error as AtelierError {
      return error
    }
    throw Missing()
  }

  static func failure(_ json: JSONValue, status: Int = 200) throws -> AtelierError {
    try failure(json.serialized(), status: status)
  }

  struct Missing: Error {}
}

/// Answers every request the same, and remembers them.
final class GeminiStub: HTTPPerforming {
  private let respond: @Sendable (HTTPRequest) throws -> HTTPResponse
  private let seen = Mutex<[HTTPRequest]>([])

  var requests: [HTTPRequest] { seen.withLock { $0 } }

  init(_ respond: @escaping @Sendable (HTTPRequest) throws -> HTTPResponse) { self.respond = respond }

  convenience init(_ json: JSONValue, status: Int = 200) {
    let body = json.serialized()
    self.init { _ in HTTPResponse(status: status, headers: [], body: body) }
  }

  func perform(
    _ request: HTTPRequest, takesPieces: Bool, event: @escaping @Sendable (HTTPTransferEvent) -> Void
  ) async throws -> HTTPResponse {
    seen.withLock { $0.append(request) }
    if let size = request.body?.count {
      event(.sent(bytes: size / 4, of: size))
      event(.sent(bytes: size, of: size))
      event(.sent(bytes: size, of: size))
    }
    return try respond(request)
  }
}

/// A key that is simply there, or not, or cannot be read.
struct GeminiKeys: APIKeySource {
  var text: String? = GeminiTest.key
  var failure: AtelierError?

  func key(for provider: ProviderID) async throws(AtelierError) -> APIKey? {
    if let failure { throw failure }
    return provider == .gemini ? text.flatMap(APIKey.init) : nil
  }
}
