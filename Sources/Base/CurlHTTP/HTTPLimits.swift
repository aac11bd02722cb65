/// The limits on the duration of a transfer and the size of its response.
public struct HTTPLimits: Sendable, Equatable {
  /// From the call to the last byte.
  public var total: Duration
  /// Until the connection is established, including TLS.
  public var connect: Duration
  /// The longest time without a byte moving while the request is sent or the response is received. It does not apply
  /// while the server works.
  public var stall: Duration
  /// How long the server may work without sending a byte: between the end of the request and the first byte of the
  /// response, and between two events of an event stream. Nil for as long as ``total`` allows.
  public var answer: Duration?
  /// The maximum size of a response's body in bytes, decompressed.
  public var responseBytes: Int

  public init(
    total: Duration = .seconds(60), connect: Duration = .seconds(10), stall: Duration = .seconds(30),
    answer: Duration? = nil, responseBytes: Int = 100 * 1_048_576
  ) {
    self.total = total
    self.connect = connect
    self.stall = stall
    self.answer = answer
    self.responseBytes = responseBytes
  }
}
