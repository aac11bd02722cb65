import JSON
import JSONRPC
import Localization

/// Why something asked of the service could not be done.
public struct AtelierError: Error, Sendable, Equatable {
  /// The kind; `internal` for one that ``otherKind`` names.
  public var kind: ErrorKind
  /// A kind that ``ErrorKind`` does not have; nil for those that it has.
  public var otherKind: OtherKind?
  /// What the person in front of the screen can act on, without internals, the service's own paths, keys or image bytes.
  /// What only the operator can do is the ``hint``.
  public var sentence: Sentence
  /// Milliseconds to wait before a retry, if known.
  public var retryAfterMs: Int?
  public var generationId: GenerationID?
  public var provider: ProviderID?
  /// Facts for programs, such as `{"bytes": …, "maxBytes": …}`.
  public var details: JSONObject
  /// Whether the same request may succeed later; nil to decide by the kind.
  public var retryable: Bool?

  public init(
    kind: ErrorKind, message sentence: Sentence, hint: String? = nil, retryAfterMs: Int? = nil,
    generationId: GenerationID? = nil, provider: ProviderID? = nil, details: JSONObject = [:], retryable: Bool? = nil
  ) {
    self.kind = kind
    self.sentence = sentence
    self.retryAfterMs = retryAfterMs
    self.generationId = generationId
    self.provider = provider
    self.details = details
    self.retryable = retryable
    if let hint { self.hint = hint }
  }

  /// Without a sentence, the error has that of its kind, and unless it has a hint, the hint of its kind.
  public init(
    _ kind: ErrorKind, _ sentence: Sentence? = nil, hint: String? = nil, retryAfterMs: Int? = nil,
    generationId: GenerationID? = nil, provider: ProviderID? = nil, details: JSONObject = [:], retryable: Bool? = nil
  ) {
    self.init(
      kind: kind, message: sentence ?? kind.sentence(retryAfterMs: retryAfterMs),
      hint: hint ?? (sentence == nil ? kind.hint : nil), retryAfterMs: retryAfterMs, generationId: generationId,
      provider: provider, details: details, retryable: retryable)
  }
}

extension AtelierError {
  /// A kind that is none of this version's service: of a newer one, of JSON-RPC, such as `invalid_params`, or of a client,
  /// such as `connection_lost`.
  public struct OtherKind: Sendable, Hashable {
    /// The stable name.
    public var name: String
    /// The code, with the meaning of the same HTTP status, or of JSON-RPC if it is negative.
    public var code: Int

    public init(name: String, code: Int) {
      self.name = name
      self.code = code
    }
  }

  /// The stable name of the kind, whoever has it.
  public var kindName: String { otherKind?.name ?? kind.rawValue }

  /// The code of the kind, whoever has it.
  public var code: Int { otherKind?.code ?? kind.code }

  /// The detail that names the file which the error is about.
  public static let path = "path"
  /// The detail that says what the operator of the service can do.
  static let hintName = "hint"

  /// ``sentence`` in English.
  public var message: String { sentence.text }

  /// ``message`` and, behind it, the ``hint``.
  public var forOperators: String { hint.map { "\(message) \($0)" } ?? message }

  /// What whoever runs the service can do about it, in English. It names commands, settings and files of the configuration,
  /// but no paths and no secrets, so that every host may be told it.
  public var hint: String? {
    get { details[Self.hintName]?.string }
    set { details[Self.hintName] = newValue.map(JSONValue.string) }
  }

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
      code: kind.code, message: sentence,
      data: ErrorBody.Data(
        kind: kind.rawValue, retryable: isRetryable, retryAfterMs: isRetryable ? retryAfterMs : nil,
        generationId: generationId,
        provider: provider, requestId: requestId, timestamp: now, details: details))
  }

  /// The error as the answer to a request.
  /// - Parameter language: that of the message.
  public func response(to id: RequestID, at now: Timestamp, in language: Language = .english) -> ResponseError {
    body(at: now, requestId: id.json).responseError(in: language)
  }

  /// Reads an error from its body. A kind that this version does not know is its ``otherKind``.
  public init(_ body: ErrorBody) {
    let known = ErrorKind(rawValue: body.data.kind)
    let kind = known ?? .internal
    self.init(
      kind: kind, message: body.message, retryAfterMs: body.data.retryAfterMs, generationId: body.data.generationId,
      provider: body.data.provider, details: body.data.details,
      retryable: body.data.retryable == kind.isRetryable ? nil : body.data.retryable)
    if known == nil { otherKind = OtherKind(name: body.data.kind, code: body.code) }
  }
}

extension AtelierError {
  /// The error when the system lets Atelier open no more files and connections, whatever it wanted them for.
  public static var tooManyOpenFiles: AtelierError {
    AtelierError(.overloaded, hint: tooManyOpenFilesHint, retryAfterMs: 1000)
  }

  /// The hint of ``tooManyOpenFiles``.
  public static let tooManyOpenFilesHint: String =
    "Atelier has as many files and connections open as the system allows. Let it open more (ulimit -n)."
}
