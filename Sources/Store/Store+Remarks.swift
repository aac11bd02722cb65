import AtelierProtocol
import GRDB
import JSONRPC

extension Store {
  /// Keeps what a person thought of a generation that has ended, in place of what was kept before. Of a private one
  /// only the rating is kept (REQUIREMENTS 7.2, 7.4).
  /// - Parameter account: whose it must be; nil for anybody's.
  /// - Returns: what is kept.
  /// - Throws: `not_found`, `not_finished`.
  public func keepFeedback(
    rating: Int, text: String?, of id: GenerationID, account: AccountID?
  ) async throws(AtelierError) -> History.Entry.Feedback {
    try await write { [self] database in
      let isPrivate = try endedGeneration(id, account: account, in: database).isPrivate
      let feedback = History.Entry.Feedback(
        rating: rating, text: isPrivate || text?.isEmpty == true ? nil : text.map(StoredText.readable))
      try database.cachedStatement(
        sql: """
          INSERT INTO generation_feedback (generation_id, rating, text, created) VALUES (?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET rating = excluded.rating, text = excluded.text, created = excluded.created
          """
      ).execute(arguments: [id.rawValue, feedback.rating, feedback.text, surroundings.now().milliseconds])
      return feedback
    }
  }

  /// Notes what a host wants to find again in history, at a generation that has ended.
  /// - Parameters:
  ///   - metadata: in place of what came with the request or an earlier note; nil leaves it.
  ///   - isFavourite: nil leaves it.
  ///   - account: whose it must be; nil for anybody's.
  /// - Returns: the generation as history has it now.
  /// - Throws: `not_found`, `not_finished`.
  public func annotate(
    _ id: GenerationID, metadata: JSONObject?, isFavourite: Bool?, account: AccountID?
  ) async throws(AtelierError) -> GenerationRow {
    try await write { [self] database in
      _ = try endedGeneration(id, account: account, in: database)
      try database.cachedStatement(
        sql: """
          INSERT INTO generation_annotation (generation_id, metadata, is_favourite) VALUES (?1, ?2, COALESCE(?3, 0))
          ON CONFLICT DO UPDATE SET metadata = COALESCE(?2, metadata), is_favourite = COALESCE(?3, is_favourite)
          """
      ).execute(arguments: [id.rawValue, try metadata.map { try StoredText.json(JSONValue.object($0)) }, isFavourite])
      return try endedGeneration(id, account: account, in: database)
    }
  }

  private func endedGeneration(
    _ id: GenerationID, account: AccountID?, in database: Database
  ) throws -> GenerationRow {
    guard let row = try generation(id, in: database), account == nil || row.account == account else {
      throw AtelierError(.notFound, generationId: id)
    }
    guard row.state.isFinal else { throw AtelierError(.notFinished, generationId: id) }
    return row
  }
}
