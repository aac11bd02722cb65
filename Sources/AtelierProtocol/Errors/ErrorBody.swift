import JSONRPC

/// An application error as it goes on the wire (PROTOCOL 6): the `error` of an answer, and of a record.
public struct ErrorBody: Codable, Sendable, Equatable {
  /// Reads like an HTTP status; `data.kind` tells more.
  public var code: Int
  /// One sentence a person can act on.
  public var message: String
  public var data: Data

  public init(code: Int, message: String, data: Data) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// What an error is about, for programs.
  public struct Data: Codable, Sendable, Equatable {
    /// The stable name of the error; more may come.
    public var kind: String
    /// True when the same request may succeed later without anybody changing it.
    public var retryable: Bool
    /// Milliseconds until a retry makes sense, where that is known.
    public var retryAfterMs: Int?
    /// The generation it happened to.
    public var generationId: GenerationID?
    /// The provider it happened with.
    public var provider: ProviderID?
    /// The id of the request it answers, as it was sent.
    public var requestId: JSONValue?
    /// When it happened.
    public var timestamp: Timestamp
    /// Facts of the kind, such as `bytes` and `maxBytes`; empty where there are none.
    public var details: JSONObject

    public init(
      kind: String, retryable: Bool, retryAfterMs: Int? = nil, generationId: GenerationID? = nil,
      provider: ProviderID? = nil, requestId: JSONValue? = nil, timestamp: Timestamp, details: JSONObject = [:]
    ) {
      self.kind = kind
      self.retryable = retryable
      self.retryAfterMs = retryAfterMs
      self.generationId = generationId
      self.provider = provider
      self.requestId = requestId
      self.timestamp = timestamp
      self.details = details
    }
  }
}

extension ErrorBody: SchemaDescribed {
  public static let summary =
    "An application error as it goes on the wire (PROTOCOL 6): the `error` of an answer, and of a record."

  public static let members = [
    "code": "Reads like an HTTP status; `data.kind` tells more.",
    "message": "One sentence a person can act on.",
  ]
}

extension ErrorBody.Data: SchemaDescribed {
  public static let summary = "What an error is about, for programs."

  public static let members = [
    "kind": "The stable name of the error; more may come.",
    "retryable": "True when the same request may succeed later without anybody changing it.",
    "retryAfterMs": "Milliseconds until a retry makes sense, where that is known.",
    "generationId": "The generation it happened to.",
    "provider": "The provider it happened with.",
    "requestId": "The id of the request it answers, as it was sent.",
    "timestamp": "When it happened.",
    "details": "Facts of the kind, such as `bytes` and `maxBytes`; empty where there are none.",
  ]
}
