import JSON
import JSONRPC

/// Why something asked of the service could not be done.
public struct AtelierError: Error, Sendable, Equatable {
  public var kind: ErrorKind
  /// A message that a person can act on, without internals, the service's own paths, keys or image bytes.
  public var message: String
  /// Milliseconds to wait before a retry, if known.
  public var retryAfterMs: Int?
  public var generationId: GenerationID?
  public var provider: ProviderID?
  /// Facts for programs, such as `{"bytes": …, "maxBytes": …}`.
  public var details: JSONObject
  /// Whether the same request may succeed later; nil to decide by the kind.
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

  /// Without a message, the error has the sentence of its kind.
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
  /// The detail that names the file which the error is about.
  public static let path = "path"

  /// True when the same request may succeed later, unchanged. That includes a quota that is renewed at a known time,
  /// but not one that somebody has to pay for.
  public var isRetryable: Bool {
    if let retryable { return retryable }
    return switch kind.consequences.retry {
    case .never: false
    case .later: true
    case .onceRenewed: retryAfterMs != nil
    }
  }

  /// The error as it is sent.
  /// - Parameters:
  ///   - now: when it happened.
  ///   - requestId: the id of the JSON-RPC request it answers.
  public func body(at now: Timestamp, requestId: JSONValue? = nil) -> ErrorBody {
    ErrorBody(
      code: kind.code, message: message,
      data: ErrorBody.Data(
        kind: kind.rawValue, retryable: isRetryable, retryAfterMs: isRetryable ? retryAfterMs : nil,
        generationId: generationId,
        provider: provider, requestId: requestId, timestamp: now, details: details))
  }

  /// The error as the answer to a request.
  public func response(to id: RequestID, at now: Timestamp) -> ResponseError {
    body(at: now, requestId: id.json).responseError
  }

  /// Reads an error from its body. Of a kind that this version does not know, the message and `retryable` are kept.
  public init(_ body: ErrorBody) {
    let kind = ErrorKind(rawValue: body.data.kind) ?? .internal
    self.init(
      kind, body.message, retryAfterMs: body.data.retryAfterMs, generationId: body.data.generationId,
      provider: body.data.provider, details: body.data.details,
      retryable: body.data.retryable == kind.isRetryable ? nil : body.data.retryable)
  }
}

extension AtelierError {
  /// The error when the system lets Atelier open no more files and connections, whatever it wanted them for.
  public static var tooManyOpenFiles: AtelierError {
    AtelierError(.overloaded, tooManyOpenFilesMessage, retryAfterMs: 1000)
  }

  /// The message of ``tooManyOpenFiles``.
  public static let tooManyOpenFilesMessage =
    "Atelier has as many files and connections open as the system allows: wait until some requests are done, "
    + "or let it open more (ulimit -n)."
}
