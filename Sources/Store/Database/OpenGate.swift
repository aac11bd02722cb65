import AtelierProtocol
import Synchronization

/// Whether the store is open. Closed before its connections are: what runs on their queues after that must not touch
/// them.
final class OpenGate: Sendable {
  private let isClosed = Atomic<Bool>(false)

  /// - Returns: false when it was closed before.
  func close() -> Bool { !isClosed.exchange(true, ordering: .sequentiallyConsistent) }

  func check() throws(AtelierError) {
    if isClosed.load(ordering: .sequentiallyConsistent) { throw .storeClosed }
  }
}
