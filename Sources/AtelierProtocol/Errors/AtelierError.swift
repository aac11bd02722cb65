import JSON
import JSONRPC

/// Why something asked of the service could not be done.
public struct AtelierError: Error, Sendable, Equatable {
  public var kind: ErrorKind
  /// One sentence a person can act on; never internals, paths of the service's own, keys or image bytes.
  public var message: String
  /// Milliseconds until a retry makes sense, where that is known.
  public var retryAfterMs: Int?
  public var generationId: GenerationID?
  public var provider: ProviderID?
  /// Facts for programs, such as `{"bytes": …, "maxBytes": …}`.
  public var details: JSONObject
  /// Whether the same request may succeed later, where that is not what the kind says.
  public var retryable: Bool?

  public init(
    kind: ErrorKind, message: String, retryAfterMs: Int? = nil, generationId: GenerationID? = nil,
    provider: ProviderID? = nil, details: JSONObject = [:], retryable: Bool? = nil
  ) {
    self.kind = kind
    self.message = message
    self.retryAfterMs = retryAfterMs
    self.generationId = generationId
    self.provider = provider
    self.details = details
    self.retryable = retryable
  }

  /// The same, in short; without a message of its own it has the kind's sentence.
  public init(
    _ kind: ErrorKind, _ message: String? = nil, retryAfterMs: Int? = nil, generationId: GenerationID? = nil,
    provider: ProviderID? = nil, details: JSONObject = [:], retryable: Bool? = nil
  ) {
    self.init(
      kind: kind, message: message ?? kind.sentence(retryAfterMs: retryAfterMs), retryAfterMs: retryAfterMs,
      generationId: generationId, provider: provider, details: details, retryable: retryable)
  }
}

extension AtelierError {
  /// True when the same request may succeed later without anybody changing it. A quota that ends at a known time is
  /// such a case; one that somebody has to pay for is not.
  public var isRetryable: Bool { retryable ?? (kind.isRetryable || kind == .quotaExhausted && retryAfterMs != nil) }

  /// The error as it goes on the wire.
  /// - Parameters:
  ///   - now: when it happened.
  ///   - requestId: the id of the JSON-RPC request it answers.
  public func body(at now: Timestamp, requestId: JSONValue? = nil) -> ErrorBody {
    ErrorBody(
      code: kind.code, message: message,
      data: ErrorBody.Data(
        kind: kind.rawValue, retryable: isRetryable, retryAfterMs: isRetryable ? retryAfterMs : nil, generationId: generationId,
        provider: provider, requestId: requestId, timestamp: now, details: details))
  }

  /// The error as the answer to a request.
  public func response(to id: RequestID, at now: Timestamp) -> ResponseError {
    body(at: now, requestId: id.json).responseError
  }

  /// The error a body stands for; of a kind this version does not know it keeps the message and whether a retry helps.
  public init(_ body: ErrorBody) {
    let kind = ErrorKind(rawValue: body.data.kind) ?? .internal
    self.init(
      kind, body.message, retryAfterMs: body.data.retryAfterMs, generationId: body.data.generationId,
      provider: body.data.provider, details: body.data.details,
      retryable: body.data.retryable == kind.isRetryable ? nil : body.data.retryable)
  }
}

/// An application error as it goes on the wire: the `error` of an answer, and of a record.
public struct ErrorBody: Codable, Sendable, Equatable {
  /// Reads like an HTTP status; `data.kind` tells more.
  public var code: Int
  /// One sentence a person can act on.
  public var message: String
  /// What programs go by.
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
    /// Milliseconds until a retry makes sense, where that is known and `retryable` is true.
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

extension ErrorBody {
  /// The error as the answer to a request.
  public var responseError: ResponseError {
    ResponseError(code: code, message: message, data: data.json)
  }
}

extension ErrorBody.Data {
  /// The members in their order on the wire. Written by hand because it cannot fail, as an encoder may.
  var json: JSONValue {
    var members: JSONObject = ["kind": .string(kind), "retryable": .bool(retryable)]
    if let retryAfterMs { members["retryAfterMs"] = .number(JSONNumber(retryAfterMs)) }
    if let generationId { members["generationId"] = .string(generationId.rawValue) }
    if let provider { members["provider"] = .string(provider.rawValue) }
    if let requestId { members["requestId"] = requestId }
    members["timestamp"] = .string(timestamp.text)
    members["details"] = .object(details)
    return .object(members)
  }
}
