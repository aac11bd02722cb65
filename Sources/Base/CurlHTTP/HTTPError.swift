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
