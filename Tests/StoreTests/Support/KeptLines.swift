import Synchronization

/// The lines that a store logs.
final class KeptLines: Sendable {
  private let lines = Mutex<[(isFault: Bool, text: String)]>([])

  func add(_ isFault: Bool, _ text: String) { lines.withLock { $0.append((isFault, text)) } }

  var faults: [String] { lines.withLock { $0.filter(\.isFault).map(\.text) } }
  var others: [String] { lines.withLock { $0.filter { !$0.isFault }.map(\.text) } }
}
