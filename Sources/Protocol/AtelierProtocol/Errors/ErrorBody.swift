import JSON
import JSONRPC
import Localization

/// An error of the service, as it is sent: as the `error` of an answer or of a generation.
public struct ErrorBody: Codable, Sendable, Equatable {
  /// A code with the meaning of the same HTTP status; `data.kind` is more exact.
  public var code: Int
  /// What is wrong and what the person in front of the screen can do about it, in one or two sentences, in the language that
  /// `initialize` chose.
  public var message: Sentence
  /// What programs decide by.
  public var data: Data

  public init(code: Int, message: Sentence, data: Data) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// The error of a request that came over another connection may name a file of that host, in its sentence too: an encoder
  /// that does not disclose the path gets the sentence and the hint of the kind.
  public func encode(to encoder: any Encoder) throws {
    var told = self
    if let path = data.details[AtelierError.path]?.string, let encoder = encoder as? any DisclosingEncoder,
      !encoder.isDisclosed(path)
    {
      let kind = AtelierError(ErrorKind(rawValue: data.kind) ?? .internal)
      told.data.details[AtelierError.path] = nil
      told.data.details[AtelierError.hintName] = kind.details[AtelierError.hintName]
      told.message = kind.sentence
    }
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(told.code, forKey: .code)
    try members.encode(told.message, forKey: .message)
    try members.encode(told.data, forKey: .data)
  }

  /// The facts of an error, for programs.
  public struct Data: Codable, Sendable, Equatable {
    /// The stable name of the error; more may be added.
    public var kind: String
    /// True when the same request may succeed later, unchanged.
    public var retryable: Bool
    /// Milliseconds to wait before a retry; only if `retryable` is true and the time is known.
    public var retryAfterMs: Int?
    /// The generation that the error is about.
    public var generationId: GenerationID?
    /// The provider that the error is about.
    public var provider: ProviderID?
    /// The id of the request that the error answers, as it was sent.
    public var requestId: JSONValue?
    /// When the error occurred.
    public var timestamp: Timestamp
    /// Facts that depend on the kind, such as `bytes` and `maxBytes`; may be empty. Every kind may have a `hint`: what
    /// whoever runs the service can do, in English. It may name commands and settings, but no paths of the service and no
    /// secrets, so confined connections are told it as well.
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
  /// The error as the answer to a request, in English.
  public var responseError: ResponseError { responseError(in: .english) }

  /// The error as the answer to a request, with its message in `language`.
  public func responseError(in language: Language) -> ResponseError {
    ResponseError(code: code, message: message.text(in: language), data: data.json)
  }
}

extension ErrorBody.Data {
  /// The members in the order in which they are sent. Written by hand, because an encoder can fail and this cannot.
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
