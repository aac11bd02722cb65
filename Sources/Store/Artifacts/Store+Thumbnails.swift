import AtelierProtocol
import GRDB

extension Store {
  /// Stores the small picture of a generation for history, usually after its end. The store owns the staged file from
  /// here on, unless this throws.
  ///
  /// Stores nothing when the generation is gone, is private or already has one.
  /// - Returns: true when it was stored.
  @discardableResult
  public func keepThumbnail(
    _ staged: StagedArtifact, for id: GenerationID
  ) async throws(AtelierError) -> Bool {
    let isKept: Bool
    do {
      isKept = try await write { [self] database in
        guard try mayHaveThumbnail(id, in: database) else { return false }
        try insertThumbnail(staged, of: id, into: database)
        return true
      }
    } catch {
      leftFiles.store(true, ordering: .relaxed)
      throw error
    }
    await discard(staged)
    return isKept
  }

  func insertThumbnail(_ staged: StagedArtifact, of id: GenerationID, into database: Database) throws {
    try place(.staged(staged), in: database, now: surroundings.now())
    try database.cachedStatement(sql: "INSERT INTO generation_thumbnail (generation_id, artifact) VALUES (?, ?)")
      .execute(arguments: [id.rawValue, staged.artifact.name])
  }

  private func mayHaveThumbnail(_ id: GenerationID, in database: Database) throws -> Bool {
    let statement = try database.cachedStatement(
      sql: """
        SELECT 1 FROM generation WHERE id = ? AND NOT is_private
          AND NOT EXISTS (SELECT 1 FROM generation_thumbnail WHERE generation_id = generation.id)
        """)
    return try Row.fetchOne(statement, arguments: [try StoredText.identifier(id.rawValue)]) != nil
  }
}
