import Synchronization

/// One JSON-RPC 2.0 peer on a transport: it can be asked, and can ask.
///
/// Every request that comes in is answered exactly once, whatever its handler does and however the connection ends, as
/// long as somebody reads. A notification sent before a response is on the wire before it. One thread reads, one
/// writes; work runs in tasks, and no task ever waits for either.
public final class Connection: Sendable {
  struct State {
    var inFlight: InFlightTable<Task<Void, Never>>
    /// Where the answers to members of a batch are collected.
    var batches: [RequestID: BatchAnswer] = [:]
    /// Our own requests that the peer has not answered.
    var unanswered: [RequestID: CheckedContinuation<JSONValue, any Error>] = [:]
    var lastRequestNumber: Int64 = 0
    var hasInputEnded = false
  }

  let transport: any Transport
  let framing: FramingChoice
  let limits: ConnectionLimits
  let handler: any ConnectionHandler
  let trace: WireTrace?
  let clock: any Clock<Duration>

  let state: Mutex<State>
  let outgoing: OutgoingQueue

  /// The first reason to end.
  let end = Promise<ConnectionEnd>()
  let readerLeft = Promise<Void>()
  let terminated = Promise<Duration>()
  /// Fulfilled when the input has ended and every request is answered.
  let drained = Promise<Void>()

  /// - Parameters:
  ///   - trace: mirrors every message, if given.
  ///   - clock: measures the timeouts of the limits.
  public init(
    transport: any Transport, framing: FramingChoice = .automatic, limits: ConnectionLimits = ConnectionLimits(),
    handler: any ConnectionHandler, trace: WireTrace? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.transport = transport
    self.framing = framing
    self.limits = limits
    self.handler = handler
    self.trace = trace
    self.clock = clock
    state = Mutex(State(inFlight: InFlightTable(maximum: limits.maximumInFlight)))
    outgoing = OutgoingQueue(framing: framing.initial, maximumBytes: limits.maximumOutgoingBytes)
  }

  /// Sends a notification; never blocks, any thread.
  /// - Parameter key: when a notification with the same key still waits to be written, this one takes its place.
  public func notify(_ method: String, _ params: JSONValue, coalescing key: String? = nil) {
    let bytes = MessageSerializer.bytes(ofCall: method, id: nil, params: params)
    trace?.recordCall(method, id: nil, params: params, direction: .outgoing)
    outgoing.append(bytes, coalescing: key)
  }

  /// Asks the peer. Cancelling the calling task tells the peer with `$/cancelRequest` and throws at once.
  /// - Returns: the result.
  /// - Throws: ``ResponseError`` as the peer answered, or `connectionClosed`; `CancellationError`.
  public func request(_ method: String, _ params: JSONValue) async throws -> JSONValue {
    let id = nextRequestID()
    let bytes = MessageSerializer.bytes(ofCall: method, id: id, params: params)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let refusal: (any Error)? = state.withLock { state in
          if state.hasInputEnded { return ResponseError.connectionClosed }
          if Task.isCancelled { return CancellationError() }
          state.unanswered[id] = continuation
          // Together with the above, or a cancellation could overtake the request it is about.
          trace?.recordCall(method, id: id, params: params, direction: .outgoing)
          outgoing.append(bytes)
          return nil
        }
        if let refusal { continuation.resume(throwing: refusal) }
      }
    } onCancel: {
      guard let continuation = state.withLock({ $0.unanswered.removeValue(forKey: id) }) else { return }
      notify("$/cancelRequest", ["id": id.json])
      continuation.resume(throwing: CancellationError())
    }
  }

  /// Cancels every request in flight; each is still answered.
  public func cancelAll() {
    for task in state.withLock({ $0.inFlight.cancelAll() }) { task.cancel() }
  }

  /// Ends the connection for a reason that is not in its input: `run()` cancels what is in flight and returns.
  /// Any thread, at any time, more than once.
  public func stop(_ reason: ConnectionEnd) {
    if case .terminated(let limit) = reason { terminated.fulfil(limit) }
    if !reason.hasReader { readerLeft.fulfil(()) }
    end.fulfil(reason)
  }

  /// Writes everything that was sent and ends the writer's thread; nothing can be sent any more.
  /// - Parameter limit: how long a peer that does not read may take; the drain timeout if nil.
  public func finish(within limit: Duration? = nil) async {
    outgoing.finish()
    _ = await firstOf(.written, within: limit ?? limits.drainTimeout)
    transport.stopWatching()
    transport.closeOutput()
  }

  private func nextRequestID() -> RequestID {
    state.withLock { state in
      state.lastRequestNumber += 1
      return .number(JSONNumber(state.lastRequestNumber))
    }
  }
}
