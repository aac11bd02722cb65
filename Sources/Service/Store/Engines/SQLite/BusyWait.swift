import Glibc
import Synchronization

/// How long and in which steps a connection waits while another process writes.
///
/// SQLite's own busy timeout backs off to 100 ms and starves the process that waits longest; short steps of random
/// length give every process its turn.
struct BusyWait: Sendable {
  /// The longest a statement waits, all steps together.
  static let limitMicroseconds: UInt32 = 10_000_000
  static let stepMicroseconds: ClosedRange<UInt32> = 200...3_000

  /// The number of steps of mean length that fit in the limit, so the bound needs no clock.
  static var mostTries: Int {
    Int(limitMicroseconds / ((stepMicroseconds.lowerBound + stepMicroseconds.upperBound) / 2))
  }

  /// Makes one connection wait only briefly, for work that may be left undone, or try more often.
  final class Policy: Sendable {
    private let isShort = Atomic<Bool>(false)
    private let isNext = Atomic<Bool>(false)
    private let hasNone = Atomic<Bool>(false)

    /// While `work` runs, a statement that would wait gives up after a tenth of a second.
    func waitingBriefly<Value>(_ work: () throws -> Value) rethrows -> Value {
      isShort.store(true, ordering: .relaxed)
      defer { isShort.store(false, ordering: .relaxed) }
      return try work()
    }

    /// While `work` runs, a statement that would wait gives up at once.
    func withoutWaiting<Value>(_ work: () throws -> Value) rethrows -> Value {
      hasNone.store(true, ordering: .relaxed)
      defer { hasNone.store(false, ordering: .relaxed) }
      return try work()
    }

    /// Sets whether this connection is next among all processes: it then tries more often, because no other one does.
    func beNext(_ isNext: Bool) { self.isNext.store(isNext, ordering: .relaxed) }

    var mostTries: Int {
      if hasNone.load(ordering: .relaxed) { return 0 }
      return (isShort.load(ordering: .relaxed) ? BusyWait.mostTries / 100 : BusyWait.mostTries) * looksPerStep
    }

    /// The number of parts a step is divided into. More parts would slow down the process that writes.
    var looksPerStep: Int { isNext.load(ordering: .relaxed) ? 2 : 1 }
  }

  var random: @Sendable () -> UInt64
  var policy = Policy()

  /// Sleeps one step, on the connection's own thread.
  /// - Returns: false when the wait has been long enough.
  func wait(after tries: Int) -> Bool {
    guard tries < policy.mostTries else { return false }
    usleep(Self.step(random()) / UInt32(policy.looksPerStep))
    return true
  }

  static func goesOn(after tries: Int) -> Bool { tries < mostTries }

  static func step(_ random: UInt64) -> UInt32 {
    let width = UInt64(stepMicroseconds.upperBound - stepMicroseconds.lowerBound + 1)
    return stepMicroseconds.lowerBound + UInt32(random % width)
  }
}
