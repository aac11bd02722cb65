import JSON
import POSIX
import Synchronization

/// One JSON-RPC 2.0 peer on a transport; it both receives and sends requests.
///
/// Every incoming request is answered exactly once, whatever its handler does and however the connection ends, as long
/// as the output has a reader. A notification sent before a response is written before it. One thread reads, one
/// writes; work runs in tasks, and no task ever waits for either thread.
public final class Connection: Sendable {
  struct State {
    var inFlight: InFlightTable<Task<Void, Never>>
    /// Where the answers to members of a batch are collected.
    var batches: [RequestID: BatchAnswer] = [:]
    /// Our own requests that the peer has not answered.
    var unanswered: [RequestID: Answer] = [:]
    var lastRequestNumber: Int64 = 0
    var hasInputEnded = false
  }

  /// What a connection does while its peer does not read.
  public enum Role: Sendable {
    /// Answers requests: it reads nothing while too much waits to be written, and ends once nobody reads what it writes.
    case service
    /// Asks them: it reads on whatever becomes of its output, so that two peers never wait for each other.
    case client
  }

  let transport: any Transport
  let role: Role
  let framing: FramingChoice
  let limits: ConnectionLimits
  let handler: any ConnectionHandler
  let trace: WireTrace?
  let clock: any Clock<Duration>

  let state: Mutex<State>
  let outgoing: OutgoingQueue

  /// The first reason to end the connection.
  let end = Promise<ConnectionEnd>()
  let readerLeft = Promise<Void>()
  let terminated = Promise<Duration>()
  /// Fulfilled when the input has ended and every request is answered.
  let drained = Promise<Void>()

  /// - Parameters:
  ///   - trace: if given, records every message.
  ///   - clock: measures the timeouts of the limits.
  public init(
    transport: any Transport, role: Role = .service, framing: FramingChoice = .automatic,
    limits: ConnectionLimits = ConnectionLimits(), handler: any ConnectionHandler, trace: WireTrace? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.transport = transport
    self.role = role
    self.framing = framing
    self.limits = limits
    self.handler = handler
    self.trace = trace
    self.clock = clock
    state = Mutex(State(inFlight: InFlightTable(maximum: limits.maximumInFlight)))
    outgoing = OutgoingQueue(framing: framing.initial, maximumBytes: limits.maximumOutgoingBytes)
  }

  /// Sends a notification; never blocks. Callable from any thread.
  /// - Parameter key: if a notification with the same key still waits to be written, this one replaces it.
  public func notify(_ method: String, _ params: JSONValue, coalescing key: String? = nil) {
    let bytes = MessageSerializer.bytes(ofCall: method, id: nil, params: params)
    trace?.recordCall(method, id: nil, params: params, direction: .outgoing)
    outgoing.append(bytes, coalescing: key)
  }

  /// Sends a notification about a request in flight: nothing is sent once the request is answered or withdrawn.
  public func notify(_ method: String, _ params: JSONValue, during id: RequestID) {
    let bytes = MessageSerializer.bytes(ofCall: method, id: nil, params: params)
    state.withLock { state in
      guard state.inFlight.awaitsAnswer(id) else { return }
      trace?.recordCall(method, id: nil, params: params, direction: .outgoing)
      outgoing.append(bytes)
    }
  }

  /// Cancels every request in flight; each is still answered.
  public func cancelAll() {
    for task in state.withLock({ $0.inFlight.cancelAll() }) { task.cancel() }
  }

  /// Cancels a request that its peer no longer wants answered: no answer follows. A member of a batch is still answered,
  /// because the others are answered with it.
  /// - Returns: false when no such request is in flight.
  @discardableResult
  public func withdraw(_ id: RequestID) -> Bool {
    let (isInFlight, task) = state.withLock { state in
      guard state.inFlight.contains(id) else { return (false, Task<Void, Never>?.none) }
      return (true, state.batches[id] == nil ? state.inFlight.withdraw(id) : state.inFlight.cancel(id))
    }
    task?.cancel()
    return isInFlight
  }

  /// Ends the connection for a reason other than the end of its input: `run()` cancels all requests in flight and
  /// returns. Callable from any thread, at any time, more than once.
  public func stop(_ reason: ConnectionEnd) {
    if case .terminated(let limit) = reason { terminated.fulfil(limit) }
    if !reason.hasReader { readerLeft.fulfil(()) }
    end.fulfil(reason)
  }

  /// Writes everything that was sent and ends the writer's thread; nothing can be sent afterwards.
  /// - Parameter limit: how long to wait for a peer that does not read; the drain timeout if nil.
  public func finish(within limit: Duration? = nil) async {
    outgoing.finish()
    _ = await firstOf(.written, within: limit ?? limits.drainTimeout)
    transport.stopWatching()
    transport.closeOutput()
  }
}

/// Handles incoming messages. Called on the reader's thread, in the order of arrival; must never block.
public protocol ConnectionHandler: Sendable {
  func receive(_ request: Request, on connection: Connection) -> Disposition

  /// Called for every notification except `$/cancelRequest`, which the connection handles. Must ignore unknown ones.
  func receive(_ notification: Notification, on connection: Connection)

  /// Called for bytes that are no message, which the connection answers with an error.
  /// - Parameter reason: a sentence that says what is wrong with them.
  func receiveUnreadable(_ reason: String, on connection: Connection)

  /// The error for a request that arrives while the maximum number of requests is in flight.
  func overloaded(_ request: Request) -> ResponseError

  /// The notification that tells the peer that a request to it is not wanted any more.
  func cancellation(of id: RequestID) -> Notification

  /// Called when the input has ended, before requests in flight are finished or cancelled.
  /// - Parameter hasReader: false when nobody can read answers any more; all requests in flight are then cancelled.
  func inputEnded(hasReader: Bool)

  /// Called before the connection cancels the requests in flight, because it ends and waits for them no longer.
  func requestsEnd()
}

extension ConnectionHandler {
  public func receive(_ notification: Notification, on connection: Connection) {}
  public func receiveUnreadable(_ reason: String, on connection: Connection) {}
  public func overloaded(_ request: Request) -> ResponseError {
    ResponseError(code: 503, message: "Too many requests are in flight; wait for some to be answered.")
  }
  public func cancellation(of id: RequestID) -> Notification {
    Notification(method: "$/cancelRequest", params: ["id": id.json])
  }
  public func inputEnded(hasReader: Bool) {}
  public func requestsEnd() {}
}

/// The resource limits of a connection.
public struct ConnectionLimits: Sendable, Equatable {
  /// The longest message accepted, in bytes (`--max-message-bytes`).
  public var maximumMessageBytes = 64 << 20

  /// The maximum number of unanswered requests (`--max-in-flight`); urgent requests are not counted.
  public var maximumInFlight = 1024

  /// The maximum nesting depth of arrays and objects in a message.
  public var maximumDepth = JSONValue.defaultMaximumDepth

  /// The maximum number of values in a message. Only hostile messages come close: 64 MiB of `[],[],[]…` would
  /// otherwise take gigabytes.
  public var maximumValues = 2_000_000

  /// The maximum number of messages in a batch; a larger batch is refused as a whole.
  public var maximumBatchCount = 10_000

  /// When more bytes than this wait to be written, reading pauses until half of them are written.
  public var maximumOutgoingBytes = 8 << 20

  /// How long requests in flight may take to finish after the end of the input (`--drain-timeout`).
  public var drainTimeout = Duration.seconds(120)

  /// How long requests may take to finish after they are cancelled at the end of that time.
  public var finishTimeout = Duration.seconds(2)

  public init() {}
}
