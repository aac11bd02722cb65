import JSON

/// Why a request failed, as sent in a response (JSON-RPC 2.0 section 5.1). Messages are human-readable sentences.
public struct ResponseError: Error, Sendable, Equatable {
  public var code: Int
  public var message: String
  public var data: JSONValue?

  public init(code: Int, message: String, data: JSONValue? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// The error as the `error` member of a response.
  public var json: JSONValue {
    var object: JSONObject = ["code": .number(JSONNumber(code)), "message": .string(message)]
    object["data"] = data
    return .object(object)
  }

  /// - Returns: nil unless `value` has an integer `code` and a `message`.
  init?(_ value: JSONValue?) {
    guard let object = value?.object, let code = object["code"]?.number?.integer(as: Int.self),
      let message = object["message"]?.string
    else { return nil }
    self.init(code: code, message: message, data: object["data"])
  }
}

extension ResponseError {
  /// Longer errors are truncated: the line that carries one must fit into 60 KiB, whatever it quotes from the request.
  private static let maximumBytes = 32 << 10
  private static let maximumMessageScalars = 1_000
  private static let maximumTextScalars = 200
  private static let maximumMembers = 16

  /// The error, truncated if it is too long for a line: the message, and only the first short members of the data.
  var bounded: ResponseError {
    guard json.serialized().count > Self.maximumBytes else { return self }
    var kept = JSONObject()
    for (name, value) in data?.object ?? [:] where kept.count < Self.maximumMembers {
      switch value {
      case .null, .bool: kept[name.cut(to: Self.maximumTextScalars)] = value
      case .number(let number) where number.text.utf8.count <= Self.maximumTextScalars:
        kept[name.cut(to: Self.maximumTextScalars)] = value
      case .string(let text):
        kept[name.cut(to: Self.maximumTextScalars)] = .string(text.cut(to: Self.maximumTextScalars))
      case .object: kept[name.cut(to: Self.maximumTextScalars)] = [:]
      case .array, .number: break
      }
    }
    return ResponseError(
      code: code, message: message.cut(to: Self.maximumMessageScalars), data: data?.object.map { _ in .object(kept) })
  }
}

extension String {
  /// The first scalars, then an ellipsis if cut. Counts scalars because one character can be 1 MB of combining marks.
  func cut(to maximum: Int) -> String {
    // Every scalar has at least one byte.
    guard utf8.count > maximum, unicodeScalars.count > maximum else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.prefix(maximum))) + "…"
  }
}

extension ResponseError {
  /// An error of the protocol itself: `data` names its kind, and sending the same again never helps.
  private init(_ kind: String, code: Int, _ message: String, facts: JSONObject = [:]) {
    var data: JSONObject = ["kind": .string(kind), "retryable": false]
    for (name, value) in facts { data[name] = value }
    self.init(code: code, message: message, data: .object(data))
  }

  /// -32700: the bytes are not JSON. `message` says where.
  public static func parseError(_ message: String) -> ResponseError {
    ResponseError("parse_error", code: -32700, message)
  }

  /// -32600: valid JSON, but not a valid request.
  public static func invalidRequest(_ message: String) -> ResponseError {
    ResponseError("invalid_request", code: -32600, message)
  }

  /// -32601.
  public static func methodNotFound(_ method: String) -> ResponseError {
    ResponseError(
      "method_not_found", code: -32601,
      "There is no method \(JSONValue.string(method.cut(to: maximumTextScalars)).serializedText).")
  }

  /// -32602, with the JSON Pointer of the invalid part and what is expected there .
  public static func invalidParams(path: String, expected: String, message: String) -> ResponseError {
    ResponseError(
      "invalid_params", code: -32602, message, facts: ["path": .string(path), "expected": .string(expected)])
  }

  /// -32602, from a failure of ``JSONValueDecoder``.
  public static func invalidParams(_ failure: JSONDecodingFailure) -> ResponseError {
    invalidParams(path: failure.path, expected: failure.expected, message: failure.message)
  }

  /// -32603. The message never quotes the underlying error, which may contain data that a client must not see.
  public static let internalError = ResponseError(
    "internal", code: -32603, "The request failed because of an internal error.")

  /// -32800: cancelled by `$/cancelRequest` (LSP 3.17) or by the end of the connection.
  public static let requestCancelled = ResponseError(
    "request_cancelled", code: -32800, "The request was cancelled.")

  /// -32000: the connection ended before the peer answered.
  public static let connectionClosed = ResponseError(
    code: -32000, message: "The connection ended before the request was answered.")
}
