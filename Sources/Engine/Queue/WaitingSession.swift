import AtelierProtocol
import Store

/// What is known of a generation of this process that has had to wait for its provider.
struct WaitingSession: Sendable {
  /// When it is given up.
  var deadline: Timestamp
  /// How often its provider has refused it.
  var attempts: Int
}

extension Session {
  /// Notes that it waits now, with everything it needs kept in the store.
  func wait(at place: WaitingPlace) {
    waiting = WaitingSession(deadline: place.deadline, attempts: place.attempts)
    // Written by ourselves a moment ago, they can be read.
    if let durable = try? work.reading(place.request) { work = durable }
    progress.wait(place.message, atMs: progress.lastToldMs)
    joint = JointProgress(count: work.wanted)
  }
}
