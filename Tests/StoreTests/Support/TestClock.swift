import AtelierProtocol
import Synchronization

/// A clock that stands still until it is moved.
final class TestClock: Sendable {
  private let milliseconds = Mutex<Int64>(1_790_000_000_000)

  var now: Timestamp { Timestamp(milliseconds: milliseconds.withLock { $0 }) }

  func advance(by step: Int64) { milliseconds.withLock { $0 += step } }
}
