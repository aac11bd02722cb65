import AtelierProtocol
import JSON

/// The SQL of what people say of a generation after its end: the tables `generation_feedback` and
/// `generation_annotation`.
struct RemarkTable {
  let session: any SQLSession

  /// What was said of one generation.
  struct Remarks {
    var feedback: Generation.Feedback?
    /// In place of the metadata of the request; nil for that.
    var metadata: JSONObject?
    var isFavorite: Bool
  }

  /// What was said of each of these generations.
  func remarks(ofGenerations ids: [String]) throws -> [String: Remarks] {
    Dictionary(
      try session.rows(Self.remarks(ofGenerations: ids)).map { (try $0.value("id"), try Remarks($0)) },
      uniquingKeysWith: { first, _ in first })
  }

  static func remarks(ofGenerations ids: [String]) throws -> SQLQuery {
    SQLQuery(
      """
      SELECT generation.id AS id, rating, generation_feedback.text AS words, generation_annotation.metadata AS metadata,
        COALESCE(is_favorite, 0) AS is_favorite
      FROM generation
        LEFT JOIN generation_feedback ON generation_feedback.generation_id = generation.id
        LEFT JOIN generation_annotation ON generation_annotation.generation_id = generation.id
      WHERE generation.id IN (SELECT value FROM json_each(?))
      """,
      [try StoredText.json(ids)])
  }

  /// Keeps feedback in place of earlier feedback.
  func keep(_ feedback: Generation.Feedback, of id: GenerationID, at time: Timestamp) throws {
    try session.run(
      """
      INSERT INTO generation_feedback (generation_id, rating, text, created) VALUES (?, ?, ?, ?)
      ON CONFLICT (generation_id) DO UPDATE SET
        rating = excluded.rating, text = excluded.text, created = excluded.created
      """, [id.rawValue, feedback.rating, feedback.text, time.milliseconds])
  }

  /// Keeps what is not nil.
  func annotate(_ id: GenerationID, metadata: JSONObject?, isFavorite: Bool?) throws {
    try session.run(
      """
      INSERT INTO generation_annotation (generation_id, metadata, is_favorite) VALUES (?1, ?2, COALESCE(?3, 0))
      ON CONFLICT (generation_id) DO UPDATE SET
        metadata = COALESCE(?2, generation_annotation.metadata),
        is_favorite = COALESCE(?3, generation_annotation.is_favorite)
      """, [id.rawValue, try metadata.map { try StoredText.json(JSONValue.object($0)) }, isFavorite])
  }
}

extension RemarkTable.Remarks {
  fileprivate init(_ row: SQLRow) throws {
    if let rating = try row.optional("rating", as: Int.self) {
      feedback = Generation.Feedback(rating: rating, text: try row.optional("words"))
    }
    metadata = try row.optionalJSON("metadata")
    isFavorite = try row.value("is_favorite")
  }
}

extension SQLSession {
  var remarks: RemarkTable { RemarkTable(session: self) }
}
