import AtelierProtocol
import Imaging
import JSONRPC

/// Work that waits for a disk: on a thread of its own, never on those that run tasks.
enum BlockingWork {
  static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await DedicatedThread.run(work)
  }
}
