import JSON
import JSONRPC

/// One request, in its era, with what its client can do.
struct Call: Sendable {
  let id: RequestID
  let method: String
  let params: JSONObject
  let era: Era
  let client: ClientCapabilities
  /// The token under which the client wants progress; nil for none.
  let progressToken: JSONValue?
}

/// What `initialize` agreed on.
struct Session: Sendable, Equatable {
  var version: LegacyVersion
  var client: ClientCapabilities
}

extension Call {
  private static let version = "io.modelcontextprotocol/protocolVersion"
  private static let capabilities = "io.modelcontextprotocol/clientCapabilities"

  /// Finds the era of a request.
  /// - Parameter session: nil before `initialize`.
  /// - Throws: the JSON-RPC error for a request of no era or of an unknown version.
  init(_ request: Request, in session: Session?) throws(ResponseError) {
    id = request.id
    method = request.method
    params = request.params
    let meta = request.params["_meta"]?.object ?? [:]
    switch meta["progressToken"] {
    case .string?, .number?: progressToken = meta["progressToken"]
    default: progressToken = nil
    }
    if meta[Self.version] != nil || meta[Self.capabilities] != nil {
      guard let version = meta[Self.version]?.string else { throw .malformed("_meta/\(Self.version) must be a string.") }
      guard version == Era.modernVersion else { throw .unsupportedVersion(version) }
      guard meta[Self.capabilities]?.object != nil else {
        throw .malformed("_meta/\(Self.capabilities) must be an object; an empty one will do.")
      }
      era = .modern
      client = ClientCapabilities(meta[Self.capabilities])
    } else if let session {
      era = .legacy(session.version)
      client = session.client
    } else if request.method == "ping" {
      era = .legacy(.latest)
      client = ClientCapabilities()
    } else {
      throw .malformed(
        "Begin with initialize, or name the version \(Era.modernVersion) in _meta/\(Self.version) and the client's "
          + "capabilities in _meta/\(Self.capabilities) of every request.")
    }
  }
}

extension Call {
  /// The cursor of a list; `null` and an empty text count as absent.
  func cursor() throws(ResponseError) -> String? {
    switch params["cursor"] {
    case nil, .null?, .string("")?: return nil
    case .string(let cursor)?: return cursor
    default: throw .malformed("cursor must be the nextCursor of an earlier page.")
    }
  }
}

extension ResponseError {
  /// -32602: the request is malformed, or names something that does not exist.
  static func malformed(_ message: String, data: JSONObject? = nil) -> ResponseError {
    ResponseError(code: -32602, message: message, data: data.map(JSONValue.object))
  }

  static func unsupportedVersion(_ requested: String) -> ResponseError {
    ResponseError(
      code: -32022, message: "Unsupported protocol version",
      data: ["supported": [.string(Era.modernVersion)], "requested": .string(requested)])
  }

  static func missingCapability(_ required: JSONValue) -> ResponseError {
    ResponseError(
      code: -32021, message: "Missing required client capability", data: ["requiredCapabilities": required])
  }
}
