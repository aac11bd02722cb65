import AtelierProtocol
import Credentials
import CurlHTTP
import JSON

extension AtelierError {
  /// Why there is no complete response from a provider.
  ///
  /// `details` contain the `reason` as one word, and `mayHaveBeenCharged` if the provider may have begun the work. They
  /// contain nothing of the request: no URL, no header, no body.
  public init(_ error: HTTPError, provider: ProviderID) {
    var details: JSONObject = ["reason": .string(error.cause.reason)]
    if error.mayHaveBeenSent { details["mayHaveBeenCharged"] = true }
    let (kind, sentence) = error.cause.kindAndSentence
    self.init(
      kind, sentence, provider: provider, details: details, retryable: error.cause.isConfiguration ? false : nil)
  }
}

extension HTTPError.Cause {
  fileprivate var reason: String {
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

  /// Causes without a specific sentence use the usual one of their kind.
  fileprivate var kindAndSentence: (ErrorKind, String?) {
    switch self {
    case .badURL:
      (.providerUnavailable, "This provider's base URL cannot be used: the operator has to correct the configuration.")
    case .badHeader:
      (.providerUnavailable, "This provider's configuration cannot be sent: the operator has to correct it.")
    case .noSocket: (.overloaded, AtelierError.tooManyOpenFilesMessage)
    case .unusable:
      (.providerUnavailable, "Atelier's network library cannot be used: the operator should run `atelier doctor`.")
    case .resolve, .connect, .timedOut(.connect): (.offline, nil)
    case .proxy: (.offline, "The proxy does not let the provider be reached: check the proxy settings and try again.")
    case .tls:
      (
        .offline,
        "The connection to the provider is not secure: check this machine's clock and certificates, and any proxy."
      )
    case .timedOut(.total): (.providerTimeout, nil)
    case .timedOut(.stall): (.providerTimeout, "The provider stopped answering. Please try again.")
    case .reset, .truncated: (.providerError, "The connection to the provider broke off. Please try again.")
    case .tooLarge: (.providerError, "The provider's answer is too large. Please try again later.")
    case .malformed: (.providerError, "The provider's answer could not be understood. Please try again later.")
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
