import AtelierProtocol
import Store

extension SessionManager {
  /// Answers a repeated idempotency key with the generation it names. Cancelling this request ends its wait, not the
  /// generation, which is another request's.
  func join(_ row: GenerationRow, isDetached: Bool) async throws -> Generate.Answer {
    if row.state.isFinal { return .finished(try await repeatedEnd(row).answer()) }
    if isDetached { return .accepted(Generate.Acceptance(generationId: row.id, state: row.state)) }
    return .finished(try await joinEnd(ofAny: row.id).answer())
  }

  /// Waits for the end of a generation of this process or another; looks again a few times a second, and settles it when
  /// that process dies.
  private func joinEnd(ofAny id: GenerationID) async throws -> FinishedGeneration {
    while true {
      if sessions[id] != nil { return try await joinEnd(of: id) }
      guard let row = try await openStore().generation(id, account: nil) else { throw Self.notFound(id.rawValue) }
      if row.state.isFinal { return try await repeatedEnd(row) }
      try await surroundings.sleep(.milliseconds(250))
      try await recover()
    }
  }

  /// The end as it was answered the first time, with the pictures where they were asked for; private ones were not kept.
  private func repeatedEnd(_ row: GenerationRow) async throws -> FinishedGeneration {
    guard row.request["output"]?["inline"]?.bool == true else { return row.finished() }
    let store = try await openStore()
    var data: [Int: [UInt8]] = [:]
    for image in row.images {
      if let artifact = image.artifact { data[image.index] = try await store.read(artifact) }
    }
    return row.finished(inlining: data)
  }
}
