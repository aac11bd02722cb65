/// A complete response, whatever its status.
public struct HTTPResponse: Sendable {
  public var status: Int
  /// The fields of the final response, in order.
  public var headers: [HTTPHeader]
  /// Empty when the request asked for its pieces as they come (``HTTPTransferEvent/received(_:)``).
  public var body: [UInt8]

  public init(status: Int, headers: [HTTPHeader], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The value of the first field of that name, whatever its case.
  public func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// What happens to a transfer while it goes on.
public enum HTTPTransferEvent: Sendable, Equatable {
  /// The connection stands, and the first byte of the request is about to leave: before this, nothing has. Told again
  /// where a kept connection turns out to be dead.
  case connected
  /// So many bytes of the body have been handed to the network; the last one has both numbers equal.
  case sent(bytes: Int, of: Int)
  /// The head of the response is there.
  case responded(status: Int)
  /// A piece of the body, as it came; only told for a 2xx response, and only when the caller asked for pieces.
  case received([UInt8])
}

/// Carries out HTTP requests: libcurl, or whatever a test puts in its place.
public protocol HTTPPerforming: Sendable {
  /// Tells that a request will come soon: what takes time before the first one may be done in the background.
  func warmUp()

  /// Carries out one request. Cancelling the task closes the transfer within milliseconds, and the connection with it
  /// unless, over HTTP/2, it carries others; then the stream is reset.
  /// - Parameters:
  ///   - takesPieces: whether the body of a 2xx response is told in pieces instead of being collected.
  ///   - event: called in order, from the transfer thread; must not block.
  /// - Throws: ``HTTPError``, or `CancellationError`.
  func perform(
    _ request: HTTPRequest, takesPieces: Bool, event: @escaping @Sendable (HTTPTransferEvent) -> Void
  ) async throws -> HTTPResponse
}

extension HTTPPerforming {
  /// Carries out one request and collects the response.
  public func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await perform(request, takesPieces: false) { _ in }
  }
}

extension HTTPPerforming {
  /// Nothing needs time.
  public func warmUp() {}
}

/// Why there is no complete response. Never holds the URL, a header or a body.
public struct HTTPError: Error, Sendable, Equatable {
  public enum Cause: Sendable, Equatable {
    /// The URL is none, or plain `http` to another machine.
    case badURL
    /// A header's name is none, or its value holds a line break or another control character.
    case badHeader
    /// The name has no address.
    case resolve
    /// Nobody accepts the connection.
    case connect
    /// The proxy refuses, or cannot be reached.
    case proxy
    /// The certificate or the handshake.
    case tls
    case timedOut(Clock)
    /// The connection ended while the request was sent or before the response began.
    case reset
    /// The response ended before it was complete.
    case truncated
    /// The response is larger than ``HTTPLimits/responseBytes``.
    case tooLarge
    /// What came is not HTTP, or cannot be decompressed.
    case malformed
    /// libcurl cannot be used, the client has been closed, or memory or descriptors have run out.
    case unusable
  }

  /// Which limit of ``HTTPLimits`` was met.
  public enum Clock: String, Sendable {
    case total, connect, stall
  }

  public var cause: Cause
  /// Whether a byte of the request may have reached the server: it may have begun the work.
  public var mayHaveBeenSent: Bool
  /// libcurl's own code and its fixed sentence for it, for logs.
  public var detail: String

  public init(_ cause: Cause, mayHaveBeenSent: Bool, detail: String) {
    self.cause = cause
    self.mayHaveBeenSent = mayHaveBeenSent
    self.detail = detail
  }
}
