import Synchronization

/// What happened, in order, told from any thread.
final class Record<Event: Sendable>: Sendable {
  private let stored = Mutex<[Event]>([])

  var events: [Event] { stored.withLock { $0 } }

  func append(_ event: Event) { stored.withLock { $0.append(event) } }
}
