/// A complete response, whatever its status.
public struct HTTPResponse: Sendable {
  public var status: Int
  /// The fields of the final response, in order.
  public var headers: [HTTPHeader]
  /// Empty when the body is delivered in pieces (``HTTPTransferEvent/received(_:)``).
  public var body: [UInt8]

  public init(status: Int, headers: [HTTPHeader], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The value of the first field with that name, ignoring case.
  public func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// An event during a transfer.
public enum HTTPTransferEvent: Sendable, Equatable {
  /// The connection is established, and the first byte of the request is about to be sent; nothing was sent before.
  /// Reported again when a kept connection turns out to be dead.
  case connected
  /// This many bytes of the body have been handed to the network; in the last such event both numbers are equal.
  case sent(bytes: Int, of: Int)
  /// The head of the response is complete.
  case responded(status: Int)
  /// A piece of the body, as received; only for a 2xx response, and only when the caller asked for pieces.
  case received([UInt8])
}

/// Performs HTTP requests: libcurl, or a substitute in tests.
public protocol HTTPPerforming: Sendable {
  /// Announces that a request will come soon, so that slow preparation can be done in the background.
  func warmUp()

  /// Performs one request. Cancelling the task stops the transfer within milliseconds and closes its connection. An
  /// HTTP/2 connection that carries other transfers stays open, and only the stream is reset.
  /// - Parameters:
  ///   - takesPieces: whether the body of a 2xx response is delivered in pieces instead of being collected.
  ///   - event: called in order, from the transfer thread; must not block.
  /// - Throws: ``HTTPError``, or `CancellationError`.
  func perform(
    _ request: HTTPRequest, takesPieces: Bool, event: @escaping @Sendable (HTTPTransferEvent) -> Void
  ) async throws -> HTTPResponse
}

extension HTTPPerforming {
  /// Performs one request and collects the response.
  public func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await perform(request, takesPieces: false) { _ in }
  }
}

extension HTTPPerforming {
  /// Does nothing by default.
  public func warmUp() {}
}

/// Why there is no complete response. Never contains the URL, a header or a body.
public struct HTTPError: Error, Sendable, Equatable {
  public enum Cause: Sendable, Equatable {
    /// The URL is invalid, or plain `http` to another machine.
    case badURL
    /// A header's name is invalid, or its value contains a line break or another control character.
    case badHeader
    /// The host name does not resolve to an address.
    case resolve
    /// No server accepts the connection.
    case connect
    /// The proxy refuses the connection or cannot be reached.
    case proxy
    /// The certificate is not trusted, or the TLS handshake fails.
    case tls
    case timedOut(Clock)
    /// The connection ended while the request was sent or before the response began.
    case reset
    /// The response ended before it was complete.
    case truncated
    /// The response is larger than ``HTTPLimits/responseBytes``.
    case tooLarge
    /// The received data is not HTTP, or cannot be decompressed.
    case malformed
    /// The system lets this process open no more connections or files, or has no memory for one.
    case noSocket
    /// libcurl cannot be used, the client has been closed, or memory has run out.
    case unusable
  }

  /// Which limit of ``HTTPLimits`` was reached.
  public enum Clock: String, Sendable {
    case total, connect, stall
  }

  public var cause: Cause
  /// Whether a byte of the request may have reached the server, which may then have begun the work.
  public var mayHaveBeenSent: Bool
  /// libcurl's own code and its fixed message for it, for logs.
  public var detail: String

  public init(_ cause: Cause, mayHaveBeenSent: Bool, detail: String) {
    self.cause = cause
    self.mayHaveBeenSent = mayHaveBeenSent
    self.detail = detail
  }
}
