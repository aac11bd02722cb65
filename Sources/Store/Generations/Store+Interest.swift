import AtelierProtocol
import GRDB

/// Which processes have clients that want a generation of any process. The processes of one data directory learn here of
/// one another's clients, so that a client which gives up ends only what nobody else wants.
extension Store {
  /// Notes that a client of this process wants a generation, until ``cancelUnlessWanted(_:)`` or the generation's end.
  /// Repeated calls have no effect, nor has one for a generation that has ended.
  public func noteInterest(in id: GenerationID) async throws(AtelierError) {
    let arguments: StatementArguments = [try StoredText.identifier(id.rawValue), owner.rawValue]
    let isNoted = try await read { database in
      let known = try database.cachedStatement(
        sql: "SELECT 1 FROM generation_interest WHERE generation_id = ? AND owner = ?")
      return try Row.fetchOne(known, arguments: arguments) != nil
    }
    if isNoted { return }
    // After a power failure the process is dead, and its interest counts no more.
    try await write(isDurable: false) { database in
      try database.cachedStatement(
        sql: """
          INSERT INTO generation_interest (generation_id, owner)
          SELECT id, ?2 FROM generation WHERE id = ?1 AND state IN ('queued', 'running')
          ON CONFLICT DO NOTHING
          """
      ).execute(arguments: arguments)
    }
  }

  /// Withdraws this process's interest, and cancels the generation unless a client of another living process wants it.
  /// - Returns: nil when it goes on.
  public func cancelUnlessWanted(_ id: GenerationID) async throws(AtelierError) -> CancelOutcome? {
    let interested = try await read { [self] in try othersInterested(in: id, in: $0) }
    var dead: Set<OwnerID> = []
    for other in interested where await isGone(other) { dead.insert(other) }
    return try await write { [self, dead] database in
      try database.cachedStatement(sql: "DELETE FROM generation_interest WHERE generation_id = ? AND owner = ?")
        .execute(arguments: [try StoredText.identifier(id.rawValue), owner.rawValue])
      // One that has noted its interest since the look lives.
      guard try othersInterested(in: id, in: database).allSatisfy(dead.contains) else { return nil }
      return try cancel(id, account: nil, in: database)
    }
  }

  private func othersInterested(in id: GenerationID, in database: Database) throws -> [OwnerID] {
    try String.fetchAll(
      database.cachedStatement(sql: "SELECT owner FROM generation_interest WHERE generation_id = ? AND owner <> ?"),
      arguments: [try StoredText.identifier(id.rawValue), owner.rawValue]
    ).map { OwnerID(rawValue: $0) }
  }
}
