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

/// When a transfer has taken too long, as a value.
struct TransferClocks: Equatable {
  typealias Instant = ContinuousClock.Instant

  private enum Phase: Equatable {
    case connecting
    /// Bytes are to move, in either direction; they last did then.
    case moving(since: Instant)
    /// The server works and owes no byte: only the total counts.
    case waiting
  }

  private let totalEnd: Instant
  private let connectEnd: Instant
  private let stall: Duration
  private var phase = Phase.connecting

  init(_ limits: HTTPLimits, began: Instant) {
    totalEnd = began + limits.total
    connectEnd = began + limits.connect
    stall = limits.stall
  }

  /// A byte went to the server or came from it, or the connection has just been made, and more is to come.
  mutating func move(at now: Instant) { phase = .moving(since: now) }

  /// What was to be sent is sent: it is the server's turn, which may think for as long as the total allows.
  mutating func waitForServer() { phase = .waiting }

  func expired(at now: Instant) -> HTTPError.Clock? {
    if totalEnd <= now { return .total }
    switch phase {
    case .connecting: return connectEnd <= now ? .connect : nil
    case .moving(let last): return last + stall <= now ? .stall : nil
    case .waiting: return nil
    }
  }

  /// An instant before which no clock runs out, whatever happens from now on.
  func nextExpiry(from now: Instant) -> Instant {
    switch phase {
    case .connecting: min(totalEnd, connectEnd, now + stall)
    case .moving(let last): min(totalEnd, last + stall)
    case .waiting: min(totalEnd, now + stall)
    }
  }
}

/// Decides which steps of an upload are worth telling: each a hundredth of the whole at least, and the last.
struct UploadProgress: Equatable {
  let total: Int
  private(set) var told = 0

  init(total: Int) {
    self.total = total
  }

  /// - Parameter bytes: how much of the body has been handed to the network by now.
  /// - Returns: what is to be told, if anything.
  mutating func step(to bytes: Int) -> HTTPTransferEvent? {
    guard bytes > told, bytes == total || bytes - told >= max(1, total / 100) else { return nil }
    told = bytes
    return .sent(bytes: bytes, of: total)
  }
}
