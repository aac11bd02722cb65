import AtelierProtocol
import Credentials
import CurlHTTP
import JSON
import Localization

extension AtelierError {
  /// Why there is no complete response from a provider.
  ///
  /// `details` contain the `reason` as one word, and `mayHaveBeenCharged` if the provider may have begun the work. They
  /// contain nothing of the request: no URL, no header, no body.
  public init(_ error: HTTPError, provider: ProviderID) {
    var details: JSONObject = ["reason": .string(error.cause.reason)]
    if error.mayHaveBeenSent { details["mayHaveBeenCharged"] = true }
    let cause = error.cause
    self.init(
      cause.kind, cause.sentence, hint: cause.hint, provider: provider, details: details,
      retryable: cause.isConfiguration ? false : nil)
  }
}

extension AtelierError {
  /// What is said where the exchange with a provider ended before its answer.
  static let connectionLost: Sentence =
    "The connection to the provider broke off. Please try again."
  /// What is said where no time helps, but a change of the configuration or of the account.
  static let notSetUp: Sentence = "The provider cannot do that as it is set up here: choose another provider."

  /// What is said where a model has no such feature.
  static func unsupported(by model: String) -> Sentence {
    "The provider cannot do that with the model “\(model)”: choose another model or provider."
  }
}

extension HTTPError.Cause {
  /// For `details.reason`.
  var reason: String {
    switch self {
    case .badURL, .badHeader: "configuration"
    case .resolve: "resolve"
    case .connect: "connect"
    case .proxy: "proxy"
    case .tls: "tls"
    case .timedOut(.total): "timeout"
    case .timedOut(.connect): "connect_timeout"
    case .timedOut(.stall): "stalled"
    case .reset: "connection_lost"
    case .truncated: "truncated"
    case .tooLarge: "response_too_large"
    case .malformed: "malformed_response"
    case .noSocket: "no_socket"
    case .unusable: "unusable"
    }
  }

  /// Whether retrying cannot help until someone changes something on this machine.
  fileprivate var isConfiguration: Bool { self == .badURL || self == .badHeader || self == .unusable }

  fileprivate var kind: ErrorKind {
    switch self {
    case .badURL, .badHeader, .unusable: .providerUnavailable
    case .noSocket: .overloaded
    case .resolve, .connect, .timedOut(.connect), .proxy, .tls: .offline
    case .timedOut(.total), .timedOut(.stall): .providerTimeout
    case .reset, .truncated, .tooLarge, .malformed: .providerError
    }
  }

  /// What the person is told; nil for the sentence of the kind.
  fileprivate var sentence: Sentence? {
    switch self {
    case .tls: "The connection to the provider is not secure, so nothing was sent. Please choose another provider."
    case .timedOut(.stall): "The provider stopped answering. Please try again."
    case .reset, .truncated: AtelierError.connectionLost
    case .tooLarge: "The provider's answer is too large. Please try again later."
    case .malformed: "The provider's answer could not be understood. Please try again later."
    case .badURL, .badHeader, .unusable, .noSocket, .resolve, .connect, .proxy, .timedOut(.total), .timedOut(.connect): nil
    }
  }

  /// What the operator can do; nil if that is nothing.
  fileprivate var hint: String? {
    switch self {
    case .badURL: "The provider's base URL cannot be used: correct the configuration."
    case .badHeader: "The provider's configuration cannot be sent: correct it."
    case .noSocket: AtelierError.tooManyOpenFilesHint
    case .unusable: "Atelier's network library cannot be used: run `atelier doctor`."
    case .proxy: "The proxy does not let the provider be reached: check the proxy settings."
    case .tls: "Check this machine's clock and certificates, and any proxy."
    case .resolve, .connect, .timedOut, .reset, .truncated, .tooLarge, .malformed: nil
    }
  }
}

extension HTTPPerforming {
  /// Checks whether a provider answers, without sending a key or images: a refusal is also an answer.
  /// - Parameters:
  ///   - url: an API URL whose use costs nothing.
  ///   - connectLimitMs: the time limit for establishing the connection, in milliseconds.
  /// - Throws: `AtelierError` when there is no answer, when the provider reports that it is out of order, or when an
  ///   intermediary answers in its place; `CancellationError`.
  func probe(_ url: String, connectLimitMs: Int, of provider: ProviderID) async throws {
    let limits = HTTPLimits(
      total: .seconds(15), connect: .milliseconds(connectLimitMs), stall: .seconds(10), responseBytes: 65_536)
    let status: Int
    do {
      let headers = [HTTPHeader("User-Agent", "atelier/\(Version.current)")]
      status = try await perform(HTTPRequest(.get, url, headers: headers, limits: limits)).status
    } catch let error as HTTPError {
      try Task.checkCancellation()
      // A response larger than the limit also proves that the provider is there.
      if error.cause == .tooLarge { return }
      throw AtelierError(error, provider: provider)
    }
    guard (200..<300).contains(status) || (400..<500).contains(status) else {
      throw AtelierError(.providerUnavailable, provider: provider)
    }
  }
}
