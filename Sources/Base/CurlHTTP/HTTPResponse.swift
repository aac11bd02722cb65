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
