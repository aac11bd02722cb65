import AtelierProtocol

@testable import Engine

extension GenerationManager {
  /// Whether the end of a generation has begun.
  func isSettling(_ id: GenerationID) -> Bool { table[id]?.isEnding == true }

  /// Comes after whatever waited for its turn here before.
  func settleDown() {}
}

/// Gives other tasks their turn until `condition` holds.
func until(_ condition: @Sendable () async throws -> Bool) async throws {
  while try await !condition() {
    try Task.checkCancellation()
    await Task.yield()
  }
}

extension EndWriter {
  /// Whether an end could not be written so far.
  func isKept(_ id: GenerationID) -> Bool { kept[id] != nil }
}
