import JSON
import POSIX
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

/// Whoever gives requests a meaning. Called on the reader's thread, in the order of arrival; must never block.
public protocol ConnectionHandler: Sendable {
  func receive(_ request: Request, on connection: Connection) -> Disposition

  /// `$/cancelRequest` is handled by the connection and not seen here. Unknown notifications are to be ignored.
  func receive(_ notification: Notification, on connection: Connection)

  /// What to answer a request that came while the most requests allowed were in flight.
  func overloaded(_ request: Request) -> ResponseError

  /// The input has ended, before what is in flight is finished or cancelled.
  /// - Parameter hasReader: false when nobody is left to read answers; everything in flight is then cancelled.
  func inputEnded(hasReader: Bool)
}

extension ConnectionHandler {
  public func receive(_ notification: Notification, on connection: Connection) {}
  public func overloaded(_ request: Request) -> ResponseError {
    ResponseError(code: 503, message: "Too many requests are in flight; wait for some to be answered.")
  }
  public func inputEnded(hasReader: Bool) {}
}

/// How much a connection takes on.
public struct ConnectionLimits: Sendable, Equatable {
  /// The longest message read, in bytes (`--max-message-bytes`).
  public var maximumMessageBytes = 64 << 20

  /// How many requests may be unanswered at once (`--max-in-flight`); urgent ones are not counted.
  public var maximumInFlight = 1024

  /// How deep arrays and objects of a message may nest.
  public var maximumDepth = JSONValue.defaultMaximumDepth

  /// How many values a message may hold. Only hostile messages come near: 64 MiB of `[],[],[]…` would
  /// otherwise become gigabytes.
  public var maximumValues = 2_000_000

  /// How many messages a batch may hold; a longer one is refused as a whole.
  public var maximumBatchCount = 10_000

  /// When more bytes than this wait to be written, nothing more is read until half of them are gone.
  public var maximumOutgoingBytes = 8 << 20

  /// How long requests in flight may take to finish after the end of the input (`--drain-timeout`).
  public var drainTimeout = Duration.seconds(120)

  /// How long requests may take to wind up once they were cancelled after that time.
  public var settleTimeout = Duration.seconds(2)

  public init() {}
}

/// What a handler decides about a request.
public enum Disposition: Sendable {
  /// Answered at once, on the reader's thread and without a task: for what is known already.
  case answered(Result<JSONValue, ResponseError>)

  /// Answered by work of its own. It is cancelled by `$/cancelRequest` and at the end of the connection, and is
  /// answered whatever it does: a thrown ``ResponseError`` as it is, `CancellationError` as -32800, any other
  /// error as -32603. Urgent work (cancel, status) is not counted against the requests in flight.
  case task(urgent: Bool = false, @Sendable () async throws -> JSONValue)
}
