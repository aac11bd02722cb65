import JSON

/// How a handler answers a request.
public enum Disposition: Sendable {
  /// Answered at once, on the reader's thread and without a task: for results that are already known.
  case answered(Result<JSONValue, ResponseError>)

  /// Answered by a task, which `$/cancelRequest` and the end of the connection cancel. The request is always
  /// answered: a thrown ``ResponseError`` is sent as is, `CancellationError` as -32800, any other error as
  /// -32603. Urgent work (cancel, status) does not count as a request in flight.
  case task(urgent: Bool = false, @Sendable () async throws -> JSONValue)
}
