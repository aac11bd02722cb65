import AtelierProtocol
import CurlHTTP
import JSONRPC

extension AtelierError {
  /// Why there is no complete response from a provider.
  ///
  /// `details` say the `reason` in a word, and `mayHaveBeenCharged` when the provider may have begun the work. Nothing
  /// of the request is in it: no address, no header, no body.
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
    case .unusable: "unusable"
    }
  }

  /// Whether somebody has to change something here before it can work.
  fileprivate var isConfiguration: Bool { self == .badURL || self == .badHeader || self == .unusable }

  /// A kind without a sentence of its own here has its usual one.
  fileprivate var kindAndSentence: (ErrorKind, String?) {
    switch self {
    case .badURL:
      (.providerUnavailable, "This provider's base URL cannot be used: the operator has to correct the configuration.")
    case .badHeader:
      (.providerUnavailable, "This provider's configuration cannot be sent: the operator has to correct it.")
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
    case .tooLarge: (.providerError, "The provider's answer is too large to be a picture. Please try again later.")
    case .malformed: (.providerError, "The provider's answer makes no sense. Please try again later.")
    }
  }
}
