/// One thing that a connection does to answer a request. An answer is a list of them, carried out in order.
enum PlanStep: Sendable {
  case wait(milliseconds: Int)
  /// Sent, and handed to the network before the next step.
  case send([UInt8])
  /// Sent in pieces of so many bytes with so long between them.
  case trickle([UInt8], bytes: Int, milliseconds: Int)
  /// Sent again and again until the peer closes.
  case forever([UInt8])
  /// Waits until the test releases the request.
  case hold
  /// Waits until the peer closes.
  case stall
  /// No more of the request is read.
  case stopReading
  /// The connection is closed in order (FIN).
  case close
  /// The connection is reset (RST): what was not read is lost.
  case reset
}
