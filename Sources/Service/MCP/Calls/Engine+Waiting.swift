import AtelierProtocol
import Engine

/// What calls learn of a generation, of any process.
extension Engine {
  /// A generation as it is now.
  /// - Throws: `not_found`.
  func generation(_ id: GenerationID, for caller: Caller) async throws -> Generation {
    guard case .generation(let generation) = try await status(Status(target: .id(id)), for: caller) else {
      throw AtelierError(.notFound)
    }
    return generation
  }

  /// A generation at its end, or as it is after `milliseconds`. Its progress is announced meanwhile.
  /// - Throws: `not_found`; `CancellationError` when the task is cancelled. The generation goes on.
  func generation(_ id: GenerationID, for caller: Caller, waitingMs milliseconds: Int64) async throws -> Generation {
    let now = try await generation(id, for: caller)
    if now.state.isFinal || milliseconds == 0 { return now }
    let ended = try await withThrowingTaskGroup(of: Generation?.self) { group in
      defer { group.cancelAll() }
      group.addTask {
        do {
          return try await self.generations.watch(GenerationWatch(generationId: id), for: caller)
        } catch let error as AtelierError where error.kind == .interrupted {
          // This process ends and leaves the generation to another one.
          return nil
        }
      }
      group.addTask {
        try await self.surroundings.sleep(.milliseconds(milliseconds))
        return nil
      }
      return try await group.next() ?? nil
    }
    if let ended { return ended }
    return try await generation(id, for: caller)
  }
}
