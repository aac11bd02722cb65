import Glibc
import POSIX
import Synchronization

/// Passes orders from callers to the transfer thread.
///
/// Every order ends exactly once, through ``finish(_:with:)``: on the thread, or here for a caller that came too late
/// or was cancelled too early.
final class TransferQueue: Sendable {
  private enum Standing {
    case reserved, cancelledEarly, started
  }

  /// The work for the thread.
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

  /// A number under which an order can be cancelled even before it is submitted.
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
        return HTTPError(
          error.isOutOfDescriptors ? .noSocket : .unusable, mayHaveBeenSent: false, detail: error.description)
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

  /// Whether an order must be cancelled and the thread has not been told yet.
  func isCancelled(_ number: Int) -> Bool { state.withLock { $0.batch.cancelled.contains(number) } }

  func warmUp() {
    // A failure here is repeated and reported by the first order.
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

  /// Returns the work added since the last call.
  func takeBatch() -> Batch {
    state.withLock { state in
      defer {
        state.batch.orders = []
        state.batch.cancelled = []
      }
      return state.batch
    }
  }

  /// Ends an order, unless it has already ended.
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
  /// The time of the caller's request: the limits count from there.
  var began: ContinuousClock.Instant
  var request: HTTPRequest
  var takesPieces: Bool
  var event: @Sendable (HTTPTransferEvent) -> Void
  /// Whether the caller has cancelled the order, even if the thread has not been told yet.
  var isCancelled: @Sendable () -> Bool
  /// Resumed by the code that removes the number from the ``TransferQueue``, which happens once.
  var continuation: CheckedContinuation<HTTPResponse, any Error>
}
