import JSON
import NIOCore
import NIOHTTP1

/// A request as it came. It lives on the event loop of its connection, and so is not `Sendable`.
final class ReceivedRequest {
  /// The number in the journal; 0 for requests of the control API.
  let id: Int
  let head: HTTPRequestHead
  let target: ReceivedTarget
  let operation: RequestRecord.Operation
  let credential: Credential
  /// What it meets: a step of the scenario, changed by what the prompt says.
  var step: ScenarioStep
  var body = ByteBuffer()
  /// The model asked for, and what the body says, as far as they are understood.
  var model: String?
  var facts: RequestFacts?

  init(
    id: Int, _ head: HTTPRequestHead, _ target: ReceivedTarget, _ operation: RequestRecord.Operation = .unknown,
    _ credential: Credential = Credential(place: .none), _ step: ScenarioStep = .success
  ) {
    (self.id, self.head, self.target, self.operation) = (id, head, target, operation)
    (self.credential, self.step, model) = (credential, step, target.modelAndMethod?.model)
  }

  func header(_ name: String) -> String? { head.headers.first(name: name) }

  var contentLength: Int? { header("Content-Length").flatMap { Int($0) } }

  func json() throws(JSONSyntaxError) -> JSONValue {
    // The bytes that are read must outlive the reading, which those of a property might not.
    let body = body
    return try JSONValue(parsing: body.readableBytesUInt8Span)
  }
}

/// The path and query of a request, and what they ask for.
struct ReceivedTarget: Sendable {
  /// As it was sent, without the query.
  var path: String
  /// The segments of the path, percent-decoded.
  var segments: [String]
  var query: [(name: String, value: String)]

  init(_ uri: String) {
    let parts = uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(parts[0])
    segments = path.split(separator: "/").map(Self.decoded)
    query = parts.dropFirst().joined().split(separator: "&").map { field in
      let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Self.decoded)
      return (pair[0], pair.count > 1 ? pair[1] : "")
    }
  }

  func queryValue(_ name: String) -> String? { query.first { $0.name == name }?.value }

  var isControl: Bool { segments.first == "_simulator" }

  /// `v1beta` and the like.
  var version: String { segments.first ?? "" }

  /// What a Gemini path names: `models/{model}:{method}`.
  var modelAndMethod: (model: String, method: String)? {
    guard segments.count == 3, segments[1] == "models" else { return nil }
    let parts = segments[2].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    return (parts[0], parts.count > 1 ? parts[1] : "")
  }

  /// - Parameter credential: decides whose `/v1/models` is meant.
  func operation(_ method: HTTPMethod, _ credential: Credential) -> RequestRecord.Operation {
    let isOpenAI = version == "v1" && credential.place != .header && credential.place != .query
    switch (method, modelAndMethod?.method ?? segments.dropFirst().joined(separator: "/")) {
    case (.POST, "generateContent"): return .generateContent
    case (.POST, "streamGenerateContent"): return .streamGenerateContent
    case (.POST, "images/generations"): return .imageGeneration
    case (.POST, "images/edits"): return .imageEdit
    case (.POST, "chat/completions"): return .chatCompletion
    case (.GET, _) where segments == ["search"]: return .geocode
    case (.GET, _) where segments == [".well-known", "jwks.json"]: return .keySet
    case (.GET, "models"): return isOpenAI ? .openAIListModels : .listModels
    case (.GET, _) where modelAndMethod != nil: return isOpenAI ? .openAIGetModel : .getModel
    default: return .unknown
    }
  }

  private static func decoded(_ text: Substring) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    var parts = text.split(separator: "%", omittingEmptySubsequences: false).map { Array($0.utf8) }
    for index in parts.indices.dropFirst() {
      let digits = String(decoding: parts[index].prefix(2), as: UTF8.self)
      // What is no code is taken as it is written.
      let value = digits.utf8.count == 2 ? UInt8(digits, radix: 16) : nil
      parts[index] = value.map { [$0] + parts[index].dropFirst(2) } ?? Array("%".utf8) + parts[index]
    }
    return String(decoding: parts.joined(), as: UTF8.self)
  }
}

extension Credential {
  init(_ headers: HTTPHeaders, _ target: ReceivedTarget) {
    self.init(place: .none)
    if let value = headers.first(name: "Authorization"), value.lowercased().hasPrefix("bearer "), value.utf8.count > 7 {
      self.init(place: .bearer, key: String(value.dropFirst(7)))
    }
    if let key = target.queryValue("key"), !key.isEmpty { self.init(place: .query, key: key) }
    if let key = headers.first(name: "x-goog-api-key"), !key.isEmpty { self.init(place: .header, key: key) }
  }

  private static let secretHeaders: Set = [
    "x-goog-api-key", "authorization", "proxy-authorization", "cookie", "api-key", "x-api-key",
  ]

  /// The fields, the values of secret ones replaced by `present`.
  static func withoutSecrets(_ headers: HTTPHeaders) -> [HeaderField] {
    headers.map { HeaderField($0, secretHeaders.contains($0.lowercased()) ? "present" : $1) }
  }
}
