import GRDB
import Glibc
import Synchronization

/// How long and in which steps a connection waits while another process writes.
///
/// SQLite's own busy timeout backs off to 100 ms and starves whoever waits longest; short steps of random length give
/// every process its turn.
struct BusyWait: Sendable {
  /// The longest a statement waits, all steps together.
  static let limitMicroseconds: UInt32 = 10_000_000
  static let stepMicroseconds: ClosedRange<UInt32> = 200...3_000

  /// Half the sum of the shortest and the longest step is the mean, so the bound needs no clock.
  static var mostTries: Int {
    Int(limitMicroseconds / ((stepMicroseconds.lowerBound + stepMicroseconds.upperBound) / 2))
  }

  /// Lets one connection be told to wait briefly, for what can as well be left undone, or to look often.
  final class Patience: Sendable {
    private let isShort = Atomic<Bool>(false)
    private let isNext = Atomic<Bool>(false)
    private let hasNone = Atomic<Bool>(false)

    /// While `work` runs, a statement that would wait gives up after a tenth of a second.
    func short<Value>(_ work: () throws -> Value) rethrows -> Value {
      isShort.store(true, ordering: .relaxed)
      defer { isShort.store(false, ordering: .relaxed) }
      return try work()
    }

    /// While `work` runs, a statement that would wait gives up at once.
    func none<Value>(_ work: () throws -> Value) rethrows -> Value {
      hasNone.store(true, ordering: .relaxed)
      defer { hasNone.store(false, ordering: .relaxed) }
      return try work()
    }

    /// Whether this connection is the next of all processes: it looks more often then, for no other one does.
    func beNext(_ isNext: Bool) { self.isNext.store(isNext, ordering: .relaxed) }

    var mostTries: Int {
      if hasNone.load(ordering: .relaxed) { return 0 }
      return (isShort.load(ordering: .relaxed) ? BusyWait.mostTries / 100 : BusyWait.mostTries) * looksPerStep
    }

    /// Into how many parts a step is cut. More would take from the one that writes what it needs to be done.
    var looksPerStep: Int { isNext.load(ordering: .relaxed) ? 2 : 1 }
  }

  var random: @Sendable () -> UInt64
  var patience = Patience()

  /// For GRDB: sleeps one step; false when the wait has been long enough. Called on the connection's own thread.
  var mode: Database.BusyMode {
    .callback { [random, patience] tries in
      guard tries < patience.mostTries else { return false }
      usleep(Self.step(random()) / UInt32(patience.looksPerStep))
      return true
    }
  }

  static func goesOn(after tries: Int) -> Bool { tries < mostTries }

  static func step(_ random: UInt64) -> UInt32 {
    let width = UInt64(stepMicroseconds.upperBound - stepMicroseconds.lowerBound + 1)
    return stepMicroseconds.lowerBound + UInt32(random % width)
  }
}
