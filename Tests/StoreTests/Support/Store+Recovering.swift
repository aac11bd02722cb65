import AtelierProtocol

@testable import Store

extension GenerationState {
  /// How a generation can end that has begun: what has begun does not expire.
  static let endsOfWork = allCases.filter { $0.isFinal && $0 != .expired }
}

extension Store {
  /// What a service does after a process died: recovers what it left, then sweeps its files.
  func recoverAndSweep() async throws -> (interrupted: [GenerationRow], requeued: Int, sweptFiles: Int) {
    let recovery = try await recover()
    return (recovery.interrupted, recovery.requeued, try await sweep())
  }

  /// Everything in the shared queue that this process may begin, in order; it is begun.
  func claimAll(for provider: ProviderID = .gemini) async throws -> [GenerationID] {
    var ids: [GenerationID] = []
    while let row = try await claimNext(for: provider, includingUnclaimed: true) { ids.append(row.id) }
    return ids
  }
}
