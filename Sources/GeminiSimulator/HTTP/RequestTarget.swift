import NIOCore
import NIOHTTP1

/// The path and query of a request, and what they ask for.
struct RequestTarget: Sendable {
  /// As it was sent, without the query.
  var path: String
  /// The segments of the path, percent-decoded.
  var segments: [String]
  var query: [(name: String, value: String)]

  init(_ uri: String) {
    let parts = uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(parts.first ?? "")
    segments = path.split(separator: "/").map { Self.decoded($0) }
    query = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { field in
      let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (Self.decoded(pair[0]), pair.count > 1 ? Self.decoded(pair[1]) : "")
    }
  }

  func queryValue(_ name: String) -> String? { query.first { $0.name == name }?.value }

  var isControl: Bool { segments.first == "_simulator" }

  /// `v1beta` and the like.
  var version: String { segments.first ?? "" }

  /// What a Gemini path names: `models/{model}:{method}`.
  var modelAndMethod: (model: String, method: String)? {
    guard segments.count == 3, segments[1] == "models" else { return nil }
    let parts = segments[2].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
  }

  /// - Parameter credential: decides whose `/v1/models` is meant.
  func operation(_ method: HTTPMethod, credential: Credential) -> RequestRecord.Operation {
    let isOpenAI = version == "v1" && credential.place != .header && credential.place != .query
    switch (method, segments.dropFirst().first, segments.count) {
    case (.POST, "images", 3) where segments[2] == "generations": return .imageGeneration
    case (.POST, "images", 3) where segments[2] == "edits": return .imageEdit
    case (.GET, "models", 2): return isOpenAI ? .openAIListModels : .listModels
    case (.GET, "models", 3): return isOpenAI ? .openAIGetModel : .getModel
    case (.POST, "models", 3):
      switch modelAndMethod?.method {
      case "generateContent": return .generateContent
      case "streamGenerateContent": return .streamGenerateContent
      default: return .unknown
      }
    default: return .unknown
    }
  }

  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2, let value = UInt8(String(Substring(rest.prefix(2))), radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A request as it came, the body included.
struct ReceivedRequest: Sendable {
  /// The number in the journal; negative for requests of the control API.
  var id: Int
  var head: HTTPRequestHead
  var target: RequestTarget
  var step: ScenarioStep
  var operation: RequestRecord.Operation
  var credential = Credential.none
  var body = ByteBuffer()

  /// Whether the peer wants the connection to be closed after the answer.
  var keepsAlive: Bool { head.isKeepAlive }
}

extension Credential {
  static let none = Credential(place: .none, key: "")

  init(_ headers: HTTPHeaders, _ target: RequestTarget) {
    if let key = headers.first(name: "x-goog-api-key"), !key.isEmpty {
      self.init(place: .header, key: key)
    } else if let key = target.queryValue("key"), !key.isEmpty {
      self.init(place: .query, key: key)
    } else if let value = headers.first(name: "Authorization"), value.lowercased().hasPrefix("bearer "),
      value.utf8.count > 7
    {
      self.init(place: .bearer, key: String(value.dropFirst(7)))
    } else {
      self = .none
    }
  }

  private static let secretHeaders: Set = [
    "x-goog-api-key", "authorization", "proxy-authorization", "cookie", "api-key", "x-api-key",
  ]

  /// The fields, the values of secret ones replaced by `present`.
  static func withoutSecrets(_ headers: HTTPHeaders) -> [HeaderField] {
    headers.map { name, value in
      HeaderField(name, secretHeaders.contains(name.lowercased()) ? "present" : value)
    }
  }
}
