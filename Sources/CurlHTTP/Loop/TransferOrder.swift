/// A request on its way to the transfer thread.
struct TransferOrder: Sendable {
  var number: Int
  /// When the caller asked for it: the limits count from there.
  var began: ContinuousClock.Instant
  var request: HTTPRequest
  var takesPieces: Bool
  var event: @Sendable (HTTPTransferEvent) -> Void
  /// Whether the caller has cancelled it, even if the thread has not heard of that yet.
  var isCancelled: @Sendable () -> Bool
  /// Resumed by whoever takes the number out of the ``TransferQueue``, which happens once.
  var continuation: CheckedContinuation<HTTPResponse, any Error>
}
