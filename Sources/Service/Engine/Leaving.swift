import Synchronization

/// How far the process is on its way out. One value for all actors of the engine; it only goes forward.
enum Leaving: UInt8, Sendable, Comparable, CaseIterable {
  /// It serves.
  case notYet
  /// No more requests arrive: nothing that came out of the offline queue begins any more.
  case inputEnded
  /// It waits for its generations to end, and no longer for their requests: no background work begins any more.
  case draining
  /// Everything stops now. A detached request that is accepted from here on is left to another process.
  case abandoning
  /// Ends no longer wait for the disk.
  case closing

  static func < (one: Leaving, other: Leaving) -> Bool { one.rawValue < other.rawValue }
}

/// How far this process is on its way out, as its actors share it.
final class LeavingProgress: Sendable {
  private let reached = Atomic(Leaving.notYet.rawValue)

  var stage: Leaving { Leaving(rawValue: reached.load(ordering: .acquiring)) ?? .notYet }

  /// Goes on to a stage, unless it is reached already.
  func reach(_ stage: Leaving) { reached.max(stage.rawValue, ordering: .acquiringAndReleasing) }
}
