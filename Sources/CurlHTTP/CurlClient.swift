/// HTTP over libcurl: every transfer of the client goes on at once, on one thread of its own and over shared
/// connections.
///
/// The thread starts with the first request or ``warmUp()``, sleeps while there is nothing to do, and ends with
/// ``close()`` or with the client. libcurl is loaded by that thread, so a program that never uses the network does not
/// pay for it; where it is not installed, requests fail with ``HTTPError/Cause/unusable``.
public final class CurlClient: HTTPPerforming {
  private let queue: TransferQueue

  public init(_ settings: CurlSettings) {
    queue = TransferQueue(settings)
  }

  deinit { queue.close() }

  /// Starts the thread and loads libcurl in the background, so that the first request need not wait for it. May be
  /// called any number of times; what goes wrong is told to the first request.
  public func warmUp() { queue.warmUp() }

  /// Ends the thread and closes every connection. Transfers under way, and later ones, fail with
  /// ``HTTPError/Cause/unusable``.
  public func close() { queue.close() }

  public func perform(
    _ request: HTTPRequest, takesPieces: Bool, event: @escaping @Sendable (HTTPTransferEvent) -> Void
  ) async throws -> HTTPResponse {
    let began = ContinuousClock.now
    try Task.checkCancellation()
    for header in request.headers where !header.canBeSent {
      throw HTTPError(.badHeader, mayHaveBeenSent: false, detail: "A header holds a character that cannot be sent.")
    }
    let number = queue.reserve()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queue.start(
          TransferOrder(
            number: number, began: began, request: request, takesPieces: takesPieces, event: event,
            isCancelled: { [queue] in queue.isCancelled(number) }, continuation: continuation))
      }
    } onCancel: {
      queue.cancel(number)
    }
  }
}
