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
