import AtelierProtocol
import JSON
import Store

/// The time limit of a generation.
struct Deadline: Sendable {
  /// The uptime at which the time is over.
  let atMs: Int64
  /// The time allowed, in milliseconds.
  let timeoutMs: Int
  let surroundings: Surroundings

  var remainingMs: Int { Int(max(0, atMs - surroundings.uptimeMs())) }

  /// Runs `work` and cancels it when the time is over.
  /// - Parameter provider: the provider at work; nil before one was asked.
  /// - Throws: `timed_out` when the time is over, unless the work ends in the same moment.
  func bound<Value: Sendable>(
    provider: ProviderID?, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    // Work is not started if no time is left.
    guard remainingMs > 0 else { throw timedOut(provider) }
    return try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask { try await work() }
      group.addTask {
        try await surroundings.sleep(.milliseconds(remainingMs))
        return nil
      }
      let first = await group.nextResult()
      group.cancelAll()
      let second = await group.nextResult()
      // A value ready in the same moment counts, whatever else happened.
      for case .success(let value?) in [first, second].compactMap({ $0 }) { return value }
      if case .failure(let error) = first { throw error }
      throw timedOut(provider)
    }
  }

  private func timedOut(_ provider: ProviderID?) -> AtelierError {
    AtelierError(
      .timedOut, hint: "It took longer than the \(timeoutMs) ms that timeoutMs or the recipe allows.",
      provider: provider, details: ["timeoutMs": .number(JSONNumber(timeoutMs))])
  }
}
