import Glibc
import POSIX
import SystemCalls

/// Runs blocking `work` under a umask of its own, which nobody beside it notices: on a thread that shares the umask with
/// no other.
public func underUmask<Value: Sendable>(
  _ mask: mode_t, _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await DedicatedThread.run {
    guard system_calls_set_own_umask(mask) == 0 else {
      throw SystemError(code: errno, operation: "give a thread its own umask")
    }
    return try work()
  }
}
