import Synchronization

/// The status of a process that is to end.
public final class ExitStatus: Sendable {
  private struct State {
    var status: Int32?
    var waiting: [CheckedContinuation<Int32, Never>] = []
  }

  private let state = Mutex(State())

  public init() {}

  public func set(_ status: Int32) {
    let waiting = state.withLock { state in
      state.status = status
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: status) }
  }

  /// Waits until it is known.
  public var value: Int32 {
    get async {
      await withCheckedContinuation { continuation in
        let status = state.withLock { state in
          if state.status == nil { state.waiting.append(continuation) }
          return state.status
        }
        if let status { continuation.resume(returning: status) }
      }
    }
  }
}
