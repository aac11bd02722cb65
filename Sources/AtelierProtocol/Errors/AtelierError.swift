import JSONRPC

/// Why something asked of the service could not be done.
public struct AtelierError: Error, Sendable, Equatable {
  public var kind: ErrorKind
  /// One sentence a person can act on; never internals, paths of the service's own, keys or image bytes
  /// (REQUIREMENTS 5.1).
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
  /// True when the same request may succeed later without anybody changing it.
  public var isRetryable: Bool { retryable ?? kind.isRetryable }

  /// The error as it goes on the wire.
  /// - Parameters:
  ///   - now: when it happened.
  ///   - requestId: the id of the JSON-RPC request it answers.
  public func body(at now: Timestamp, requestId: JSONValue? = nil) -> ErrorBody {
    ErrorBody(
      code: kind.code, message: message,
      data: ErrorBody.Data(
        kind: kind.rawValue, retryable: isRetryable, retryAfterMs: retryAfterMs, generationId: generationId,
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
