import CurlHTTP

/// HTTP for providers that are not to be asked anything.
public struct NoNetwork: HTTPPerforming {
  public init() {}

  public func perform(
    _ request: HTTPRequest, takesPieces: Bool, event: @escaping @Sendable (HTTPTransferEvent) -> Void
  ) async throws -> HTTPResponse {
    throw HTTPError(.connect, mayHaveBeenSent: false, detail: "There is no network here.")
  }
}
