import CCurl

/// What is known of a transfer when it ends without a complete response, and what that means to the caller.
struct TransferEnd: Equatable {
  var code: CURLcode
  /// What the transfer itself refused, if it did; libcurl then only says that a callback failed.
  var refusal: HTTPError.Cause?
  /// Whether the connection stood, TLS included: only from then on can a byte of the request have left.
  var isConnected = false
  /// Whether the response's head was complete.
  var hasHead = false
  /// Whether the connection went to another port than the URL's, or a proxy answered.
  var usesProxy = false

  var error: HTTPError {
    let sentence = String(cString: ccurl_sentence(code))
    return HTTPError(cause, mayHaveBeenSent: isConnected, detail: "libcurl \(code.rawValue): \(sentence).")
  }

  private var cause: HTTPError.Cause {
    if let refusal { return refusal }
    return isConnected ? causeOnceConnected : causeBeforeConnection
  }

  private var causeBeforeConnection: HTTPError.Cause {
    switch code {
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: .badURL
    case CURLE_COULDNT_RESOLVE_HOST: .resolve
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: .proxy
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_ENGINE_NOTFOUND,
      CURLE_SSL_ENGINE_SETFAILED, CURLE_USE_SSL_FAILED:
      .tls
    case CURLE_OPERATION_TIMEDOUT: .timedOut(.connect)
    case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT, CURLE_NOT_BUILT_IN, CURLE_UNKNOWN_OPTION: .unusable
    default: usesProxy ? .proxy : .connect
    }
  }

  private var causeOnceConnected: HTTPError.Cause {
    switch code {
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
      .malformed
    case CURLE_FILESIZE_EXCEEDED: .tooLarge
    case CURLE_OUT_OF_MEMORY: .unusable
    // libcurl repeats a request without a body when a kept connection turns out to be dead, and may fail at that.
    case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_OPERATION_TIMEDOUT: .reset
    default: hasHead ? .truncated : .reset
    }
  }
}
