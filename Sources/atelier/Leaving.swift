import Glibc
import Synchronization

/// What happens between the `exit` notification and the end of the process.
final class Leaving: Sendable {
  private let settle = Mutex<(@Sendable () async -> Void)?>(nil)

  /// - Parameter settle: settles what runs and writes what is unwritten, within a second.
  func prepare(_ settle: @escaping @Sendable () async -> Void) {
    self.settle.withLock { $0 = settle }
  }

  /// Ends the process.
  func leave(status: Int32) async {
    await settle.withLock { $0 }?()
    Glibc.exit(status)
  }
}
