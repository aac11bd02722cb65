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
