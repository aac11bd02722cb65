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
