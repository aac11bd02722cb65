/// Runs `work`, and cancels it when `limit` is over.
/// - Throws: what `work` throws, or `failure` when it took too long.
func withDeadline<Value: Sendable>(
  _ limit: Duration, orThrow failure: WebError, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value.self) { group in
    group.addTask { try await work() }
    group.addTask {
      try await Task.sleep(for: limit)
      throw failure
    }
    defer { group.cancelAll() }
    guard let value = try await group.next() else { throw failure }
    return value
  }
}
