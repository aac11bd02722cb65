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
