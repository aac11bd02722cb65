import JSON

/// Requests to the peer.
extension Connection {
  /// Called once with what became of a request: the result, the ``ResponseError`` that the peer sent or `connectionClosed`,
  /// or `CancellationError`. An answer comes on the reader's thread, before anything that the peer sent later.
  package typealias Answer = @Sendable (Result<JSONValue, any Error>) -> Void

  /// A request that can be sent. Its id is known before anything about it can arrive.
  package struct OutgoingRequest: Sendable {
    package let id: RequestID
    let method: String
    let params: JSONValue
    let bytes: [UInt8]

    /// The length of the message.
    package var byteCount: Int { bytes.count }
  }

  /// Sends a request to the peer. Cancelling the calling task tells it so, as
  /// ``ConnectionHandler/cancellation(of:)`` words it, and throws at once.
  /// - Returns: the result.
  /// - Throws: the ``ResponseError`` that the peer sent, or `connectionClosed`; `CancellationError`.
  public func request(_ method: String, _ params: JSONValue) async throws -> JSONValue {
    try await answer(to: makeRequest(method, params))
  }

  /// Sends a request, as ``request(_:_:)``.
  package func answer(to request: OutgoingRequest) async throws -> JSONValue {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        send(request) { continuation.resume(with: $0) }
      }
    } onCancel: {
      guard let answered = state.withLock({ $0.unanswered.removeValue(forKey: request.id) }) else { return }
      tellCancellation(of: request.id)
      answered(.failure(CancellationError()))
    }
  }

  /// Serialises a request under the next id, outside of every lock: it may hold many megabytes.
  package func makeRequest(_ method: String, _ params: JSONValue) -> OutgoingRequest {
    let id = nextRequestID()
    let bytes = MessageSerializer.bytes(ofCall: method, id: id, params: params)
    return OutgoingRequest(id: id, method: method, params: params, bytes: bytes)
  }

  /// Sends a request; never blocks. In a task that is cancelled, nothing is sent.
  package func send(_ request: OutgoingRequest, answered: @escaping Answer) {
    let refusal: (any Error)? = state.withLock { state in
      if state.hasInputEnded { return ResponseError.connectionClosed }
      if Task.isCancelled { return CancellationError() }
      // Under the same lock as the line below; otherwise a cancellation could overtake its request.
      guard outgoing.append(request.bytes) else { return ResponseError.connectionClosed }
      state.unanswered[request.id] = answered
      trace?.recordCall(request.method, id: request.id, params: request.params, direction: .outgoing)
      return nil
    }
    if let refusal { answered(.failure(refusal)) }
  }

  /// Asks the peer to cancel a request of ours that is not answered yet; its answer still comes.
  package func cancelRequest(_ id: RequestID) {
    guard state.withLock({ $0.unanswered[id] != nil }) else { return }
    tellCancellation(of: id)
  }

  private func tellCancellation(of id: RequestID) {
    let notification = handler.cancellation(of: id)
    notify(notification.method, .object(notification.params))
  }

  /// Waits while more bytes wait to be written than ``ConnectionLimits/maximumOutgoingBytes``. Returns at once when the task
  /// is cancelled, and when nothing can be written any more.
  package func waitForRoom() async { await outgoing.waitForRoom() }

  private func nextRequestID() -> RequestID {
    state.withLock { state in
      state.lastRequestNumber += 1
      return .number(JSONNumber(state.lastRequestNumber))
    }
  }
}
