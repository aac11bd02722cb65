import Foundation

/// Holds threads until so many have come.
final class Barrier: Sendable {
  private let wanted: Int
  private let condition = NSCondition()
  // Safe because both are touched only between lock and unlock of `condition`.
  nonisolated(unsafe) private var arrived = 0
  nonisolated(unsafe) private var isOpen = false

  init(_ wanted: Int) {
    self.wanted = wanted
  }

  /// - Returns: whether this was the last.
  func arrive() -> Bool {
    condition.withLock {
      arrived += 1
      guard arrived == wanted else { return false }
      isOpen = true
      condition.broadcast()
      return true
    }
  }

  func wait() {
    condition.withLock { while !isOpen { condition.wait() } }
  }

  func open() {
    condition.withLock {
      isOpen = true
      condition.broadcast()
    }
  }
}
