import AtelierProtocol
import Store

extension SessionManager {
  /// Waits for the end of a generation another process works on; looks again a few times a second, and settles it when
  /// that process dies.
  func endElsewhere(of id: GenerationID) async throws -> FinishedGeneration {
    while true {
      if sessions[id] != nil { return await end(of: id, cancellingWithTask: false) }
      guard let row = try await openStore().generation(id, account: nil) else { throw Self.notFound(id.rawValue) }
      if row.state.isFinal { return row.finished() }
      try await surroundings.sleep(.milliseconds(250))
      try await recover()
    }
  }
}
