import AtelierProtocol
import Store

/// How requests wait for the end of a generation of this process or another one.
extension GenerationManager {
  /// Waits for the end of a generation of this process, even in a cancelled task.
  func end(of id: GenerationID) async -> FinishedGeneration {
    await wait(for: id, as: nextWaiter()) ?? .vanished(id)
  }

  /// Waits for the end of a generation of this process that another request began.
  /// - Throws: `CancellationError` when the task is cancelled; the generation goes on.
  private func joinEnd(of id: GenerationID) async throws -> FinishedGeneration {
    let waiter = nextWaiter()
    let finished = await withTaskCancellationHandler {
      await wait(for: id, as: waiter)
    } onCancel: {
      Task { await self.stopWaiting(waiter, for: id) }
    }
    guard let finished else { throw CancellationError() }
    return finished
  }

  /// - Returns: nil when the wait is given up.
  func wait(for id: GenerationID, as waiter: LiveGeneration.Waiter) async -> FinishedGeneration? {
    await withCheckedContinuation { continuation in
      if let live = generations[id] {
        live.waiters[waiter] = continuation
      } else {
        continuation.resume(returning: .vanished(id))
      }
    }
  }

  private func stopWaiting(_ waiter: LiveGeneration.Waiter, for id: GenerationID) {
    generations[id]?.waiters.removeValue(forKey: waiter)?.resume(returning: nil)
  }

  func nextWaiter(isHost: Bool = true) -> LiveGeneration.Waiter {
    lastWaiter += 1
    return LiveGeneration.Waiter(number: lastWaiter, isHost: isHost)
  }

  /// Answers a repeated idempotency key with the generation it names. Cancelling this request ends its wait, not the
  /// generation, which belongs to another request.
  func join(_ row: GenerationRow, isDetached: Bool) async throws -> Generation {
    if row.state.isFinal { return try await repeatedEnd(row).answer() }
    if isDetached { return liveGeneration(row.id) ?? row.generation() }
    return try await joinEnd(ofAny: row.id).answer()
  }

  /// Waits for the end of a generation of this process or another one; polls its row every 250 ms, and settles it when
  /// its process dies. A leaving process does not wait for one that waits for its provider.
  private func joinEnd(ofAny id: GenerationID) async throws -> FinishedGeneration {
    while true {
      if generations[id] != nil { return try await joinEnd(of: id) }
      let store = try await openStore()
      guard let row = try await store.generation(id, account: nil) else { throw AtelierError.noGeneration(id.rawValue) }
      if row.state.isFinal { return try await repeatedEnd(row) }
      if isLeaving, row.state == .queued, try await store.waitingPlace(of: id) != nil { return .leftQueued(id) }
      try await parts.surroundings.sleep(.milliseconds(250))
      if await store.isGone(row.owner) { try await settle() }
    }
  }

  /// The end as first answered, with the pictures if they were requested inline; private pictures were not kept.
  private func repeatedEnd(_ row: GenerationRow) async throws -> FinishedGeneration {
    var data: [Int: [UInt8]] = [:]
    if row.request["output"]?["inline"]?.bool == true {
      let store = try await openStore()
      for image in row.images {
        if let artifact = image.artifact { data[image.index] = try await store.read(artifact) }
      }
    }
    return row.finished(inlining: data)
  }
}
