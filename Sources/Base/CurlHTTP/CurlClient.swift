/// HTTP over libcurl: all transfers of the client run concurrently, on one dedicated thread and over shared
/// connections.
///
/// The thread starts with the first request or ``warmUp()``, sleeps while it is idle, and ends with ``close()`` or when
/// the client is released. The thread loads libcurl, so a program that never uses the network does not pay for it;
/// where libcurl is not installed, requests fail with ``HTTPError/Cause/unusable``.
public final class CurlClient: HTTPPerforming {
  private let queue: TransferQueue

  public init(_ settings: CurlSettings) {
    queue = TransferQueue(settings)
  }

  deinit { queue.close() }

  /// Starts the thread and loads libcurl in the background, so that the first request need not wait for it. May be
  /// called any number of times; the first request reports any failure.
  public func warmUp() { queue.warmUp() }

  /// Ends the thread and closes every connection. Transfers in progress, and later ones, fail with
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
