import Glibc
import POSIX
import Synchronization

/// Where callers leave what they want of the transfer thread, and where the thread finds it.
///
/// Every order is ended exactly once, by whoever ``finish(_:)`` lets: the thread, or here the caller that came too late
/// or was cancelled too early.
final class TransferQueue: Sendable {
  private enum Standing {
    case reserved, cancelledEarly, started
  }

  /// What the thread has to do.
  struct Batch {
    var orders: [TransferOrder] = []
    var cancelled: Set<Int> = []
    var isClosed = false
  }

  private struct State {
    var lastNumber = 0
    var standings: [Int: Standing] = [:]
    var batch = Batch()
    var signal: WakeSignal?
  }

  private let settings: CurlSettings
  private let state = Mutex(State())

  init(_ settings: CurlSettings) {
    self.settings = settings
  }

  /// A number under which an order can be cancelled even before it is given.
  func reserve() -> Int {
    state.withLock { state in
      state.lastNumber += 1
      state.standings[state.lastNumber] = .reserved
      return state.lastNumber
    }
  }

  func start(_ order: TransferOrder) {
    let refusal: (any Error)? = state.withLock { state in
      if state.standings[order.number] == .cancelledEarly { return CancellationError() }
      if state.batch.isClosed { return HTTPError.closed(mayHaveBeenSent: false) }
      do throws(SystemError) {
        try startThread(&state)
      } catch {
        return HTTPError(.unusable, mayHaveBeenSent: false, detail: error.description)
      }
      state.standings[order.number] = .started
      state.batch.orders.append(order)
      state.signal?.raise()
      return nil
    }
    if let refusal { finish(order, with: .failure(refusal)) }
  }

  func cancel(_ number: Int) {
    state.withLock { state in
      switch state.standings[number] {
      case .reserved: state.standings[number] = .cancelledEarly
      case .started:
        state.batch.cancelled.insert(number)
        state.signal?.raise()
      case .cancelledEarly, nil: break
      }
    }
  }

  /// Whether an order is to be broken off, and the thread has not been told yet.
  func isCancelled(_ number: Int) -> Bool { state.withLock { $0.batch.cancelled.contains(number) } }

  func warmUp() {
    // What goes wrong here goes wrong again with the first order, which has somebody to tell.
    state.withLock { state in
      if !state.batch.isClosed { try? startThread(&state) }
    }
  }

  func close() {
    state.withLock { state in
      state.batch.isClosed = true
      state.signal?.raise()
    }
  }

  /// Takes what has come since the last call.
  func takeBatch() -> Batch {
    state.withLock { state in
      defer {
        state.batch.orders = []
        state.batch.cancelled = []
      }
      return state.batch
    }
  }

  /// Ends an order, unless it has been ended.
  func finish(_ order: TransferOrder, with result: Result<HTTPResponse, any Error>) {
    let isFirst = state.withLock { $0.standings.removeValue(forKey: order.number) != nil }
    if isFirst { order.continuation.resume(with: result) }
  }

  private func startThread(_ state: inout State) throws(SystemError) {
    guard state.signal == nil else { return }
    let signal = try WakeSignal()
    let settings = settings
    try DedicatedThread.start { [self] in TransferLoop(self, settings, signal).run() }
    state.signal = signal
  }
}

extension HTTPError {
  static func closed(mayHaveBeenSent: Bool) -> HTTPError {
    HTTPError(.unusable, mayHaveBeenSent: mayHaveBeenSent, detail: "The client has been closed.")
  }
}

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
