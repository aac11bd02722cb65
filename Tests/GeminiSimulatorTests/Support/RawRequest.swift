import JSON

/// An HTTP request to the simulator.
struct RawRequest: Sendable {
  var method = "POST"
  var path: String
  var headers: [(String, String)] = [("Host", "127.0.0.1")]
  var body: [UInt8] = []

  static let model = "gemini-nano-banana-2.1"

  init(_ method: String, _ path: String, body: [UInt8] = [], headers: [(String, String)] = []) {
    self.method = method
    self.path = path
    self.body = body
    self.headers += headers
  }

  /// A request for content.
  static func generate(
    _ json: JSONValue, model: String = model, method: String = "generateContent", key: String? = "k"
  ) -> RawRequest {
    RawRequest(
      "POST", "/v1beta/models/\(model):\(method)", body: json.serialized(),
      headers: [("Content-Type", "application/json")] + (key.map { [("x-goog-api-key", $0)] } ?? []))
  }

  /// The same with a prompt alone.
  static func generate(prompt: String, model: String = model) -> RawRequest {
    generate(["contents": [["role": "user", "parts": [["text": .string(prompt)]]]]], model: model)
  }

  /// A request of OpenAI's API.
  static func openAI(_ path: String, _ json: JSONValue, key: String? = "k") -> RawRequest {
    RawRequest(
      "POST", "/v1/images/\(path)", body: json.serialized(),
      headers: [("Content-Type", "application/json")] + (key.map { [("Authorization", "Bearer \($0)")] } ?? []))
  }

  var head: [UInt8] {
    var text = "\(method) \(path) HTTP/1.1\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    if method != "GET" { text += "Content-Length: \(body.count)\r\n" }
    return Array((text + "\r\n").utf8)
  }

  var bytes: [UInt8] { head + body }
}
