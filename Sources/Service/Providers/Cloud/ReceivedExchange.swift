import CurlHTTP
import Synchronization

/// What has come of an exchange: a response that is complete, or one whose end is missing. The answer within may be whole
/// although the connection broke off, was left open, or announced more bytes than came, and that answer has been paid for.
struct ReceivedExchange: Sendable {
  /// Of a good status without headers, if its end is missing.
  var response: HTTPResponse
  /// What the end is missing for; nil for a response that is complete.
  var interruption: HTTPError?
}

extension HTTPPerforming {
  /// Performs one request, and keeps what came of a good answer until it broke off.
  /// - Throws: ``HTTPError`` if nothing came of one, or `CancellationError`.
  func performKeepingWhatCame(
    _ request: HTTPRequest, event: @escaping @Sendable (HTTPTransferEvent) -> Void = { _ in }
  ) async throws -> ReceivedExchange {
    let received = Mutex<(status: Int, body: [UInt8])>((0, []))
    do {
      var response = try await perform(request, takesPieces: true) { told in
        switch told {
        case .responded(let status): received.withLock { $0.status = status }
        case .received(let piece): return received.withLock { $0.body += piece }
        case .connected, .sent: break
        }
        event(told)
      }
      let body = received.withLock { $0.body }
      if !body.isEmpty { response.body = body }
      return ReceivedExchange(response: response)
    } catch let error as HTTPError {
      try Task.checkCancellation()
      let (status, body) = received.withLock { $0 }
      guard !body.isEmpty, error.cause != .tooLarge else { throw error }
      return ReceivedExchange(response: HTTPResponse(status: status, headers: [], body: body), interruption: error)
    }
  }
}
