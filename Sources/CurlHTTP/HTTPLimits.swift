/// How long a transfer may take and how much it may bring.
public struct HTTPLimits: Sendable, Equatable {
  /// From the call to the last byte.
  public var total: Duration
  /// Until the connection stands, TLS included.
  public var connect: Duration
  /// The longest time in which no byte moves while the request is sent or the response comes (REQUIREMENTS 3.6). A
  /// server may think for as long as ``total`` allows: between the sent request and the first byte of the response, and
  /// between two events of a stream of them.
  public var stall: Duration
  /// The most bytes of a response's body, decompressed.
  public var responseBytes: Int

  public init(
    total: Duration = .seconds(60), connect: Duration = .seconds(10), stall: Duration = .seconds(30),
    responseBytes: Int = 100 * 1_048_576
  ) {
    self.total = total
    self.connect = connect
    self.stall = stall
    self.responseBytes = responseBytes
  }
}
