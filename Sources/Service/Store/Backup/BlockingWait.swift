import POSIX

/// Lets a thread of its own wait for asynchronous work; never one that runs tasks.
func waiting<Value: Sendable>(for work: @escaping @Sendable () async throws -> Value) throws -> Value {
  let outcome = Monitor<Result<Value, any Error>?>(nil)
  Task {
    let result: Result<Value, any Error>
    do { result = .success(try await work()) } catch { result = .failure(error) }
    outcome.withLock { $0 = result }
    outcome.wakeAll()
  }
  return try outcome.wait { $0 }.get()
}
