import CCurl

/// The state of a transfer that ends without a complete response, and the error it means for the caller.
struct TransferEnd: Equatable {
  var code: CURLcode
  /// The transfer's own reason to stop, if any; libcurl then only reports that a callback failed.
  var refusal: HTTPError.Cause?
  /// Whether the connection was established, including TLS: only then can a byte of the request have been sent.
  var isConnected = false
  /// Whether the response's head was complete.
  var hasHead = false
  /// Whether the connection went to another port than the URL's, or a proxy answered.
  var usesProxy = false
  /// Whether the process could open no more files when it ended.
  var lacksDescriptors = false

  var error: HTTPError {
    let sentence = String(cString: ccurl_sentence(code))
    return HTTPError(cause, mayHaveBeenSent: isConnected, detail: "libcurl \(code.rawValue): \(sentence).")
  }

  private var cause: HTTPError.Cause {
    if let refusal { return refusal }
    if lacksDescriptors, !isConnected { return .noSocket }
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
    // libcurl repeats a request without a body when a kept connection turns out to be dead; the repetition may fail.
    case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_OPERATION_TIMEDOUT: .reset
    default: hasHead ? .truncated : .reset
    }
  }
}

/// Selects the steps of an upload to report: each at least a hundredth of the whole, and the last one.
struct UploadProgress: Equatable {
  let total: Int
  private(set) var told = 0

  init(total: Int) {
    self.total = total
  }

  /// - Parameter bytes: the number of body bytes handed to the network so far.
  /// - Returns: the event to report, if any.
  mutating func step(to bytes: Int) -> HTTPTransferEvent? {
    guard bytes > told, bytes == total || bytes - told >= max(1, total / 100) else { return nil }
    told = bytes
    return .sent(bytes: bytes, of: total)
  }
}
