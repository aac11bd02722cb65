/// What a handler decides about a request.
public enum Disposition: Sendable {
  /// Answered at once, on the reader's thread and without a task: for what is known already.
  case answered(Result<JSONValue, ResponseError>)

  /// Answered by work of its own. It is cancelled by `$/cancelRequest` and at the end of the connection, and is
  /// answered whatever it does: a thrown ``ResponseError`` as it is, `CancellationError` as -32800, any other
  /// error as -32603. Urgent work (cancel, status) is not counted against the requests in flight.
  case task(urgent: Bool = false, @Sendable () async throws -> JSONValue)
}
