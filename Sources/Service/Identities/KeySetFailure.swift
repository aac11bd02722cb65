import AtelierProtocol
import CurlHTTP
import Encodings
import JSON

/// Why there is no key set.
enum KeySetFailure: Error, Sendable, Equatable {
  /// The file, with the system's reason.
  case unreadable(String)
  case noFile
  case tooLarge
  case otherEncoding(SavedText.OtherEncoding)
  case noKeySet
  case tooManyKeys
  /// The server answered something else.
  case status(Int)
  case unreachable(HTTPError.Cause)
  /// The client of HTTP gave up for a reason of its own.
  case stopped
}

extension KeySetFailure {
  /// One sentence for the operator, which names neither a path nor a URL.
  var sentence: String {
    switch self {
    case .unreadable(let reason): "The file cannot be read: \(reason)."
    case .noFile: "There is no regular file of that name."
    case .tooLarge: "It is larger than \(KeySet.maximumBytes) bytes."
    case .otherEncoding(let encoding): "It \(encoding.reason)."
    case .noKeySet: "It is no JSON Web Key Set, a JSON object with the member “keys”."
    case .tooManyKeys: "It has more than \(KeySet.maximumKeys) keys."
    case .status(300..<400): "The server redirects, which is not followed: name the address where the key set is."
    case .status(let status): "The server answered with the status \(status)."
    case .unreachable(let cause): cause.sentence
    case .stopped: "The request was not completed."
    }
  }

  /// The error when `issuer` has no usable key set at all.
  /// - Parameter retryAfterMs: when it is fetched again, if that is known.
  func error(of issuer: IdentityIssuer, retryAfterMs: Int?) -> AtelierError {
    AtelierError(
      .providerUnavailable, hint: "There is no key set of the issuer “\(issuer.id)”. \(sentence)",
      retryAfterMs: retryAfterMs, details: ["reason": "key_set"])
  }
}

extension HTTPError.Cause {
  fileprivate var sentence: String {
    switch self {
    case .badURL, .badHeader: "Its address cannot be used: it must begin with https, or with http on this machine."
    case .resolve: "The name of the server is not known."
    case .connect, .timedOut(.connect): "The server cannot be connected to."
    case .proxy: "The proxy does not let the server be reached."
    case .tls: "The connection is not secure: check this machine's clock and certificates, and any proxy."
    case .timedOut(.total), .timedOut(.stall): "The server took too long to answer."
    case .reset, .truncated: "The connection broke off."
    case .tooLarge: "It is larger than \(KeySet.maximumBytes) bytes."
    case .malformed: "The server's answer is not HTTP."
    case .noSocket: AtelierError.tooManyOpenFilesHint
    case .unusable: "Atelier's network library cannot be used: run `atelier doctor`."
    }
  }
}
