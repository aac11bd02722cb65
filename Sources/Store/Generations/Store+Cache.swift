import AtelierProtocol
import Encodings
import GRDB

extension Store {
  /// The newest generation that answers a request with this key.
  ///
  /// The caller, which reads its files, must check that they are unchanged.
  /// - Parameters:
  ///   - key: a SHA-256 (32 bytes), as ``Settlement/cacheKey``.
  ///   - account: the account it must belong to.
  /// - Returns: nil when there is none that succeeded and still has all its images.
  public func cachedResult(for key: [UInt8], account: AccountID) async throws(AtelierError) -> GenerationRow? {
    try await read { [self] database in
      try generations(
        in: database, from: "generation_cache_key CROSS JOIN generation ON id = generation_id",
        where: """
          key = ? AND account = ? AND state = 'succeeded' AND NOT is_private ORDER BY created DESC, id DESC LIMIT 1
          """,
        arguments: [Hexadecimal.text(key), try StoredText.identifier(account.rawValue)]
      ).first { row in !row.images.isEmpty && row.images.allSatisfy { $0.artifact != nil } }
    }
  }

  func insertCacheKey(_ key: [UInt8], of id: GenerationID, into database: Database) throws {
    try database.cachedStatement(sql: "INSERT INTO generation_cache_key (generation_id, key) VALUES (?, ?)")
      .execute(arguments: [id.rawValue, Hexadecimal.text(key)])
  }
}

extension Store {
  /// The number of generations that have this one as their parent and regenerate it, by the `regenerates` recorded
  /// beside their params.
  public func regenerations(of id: GenerationID) async throws(AtelierError) -> Int {
    try await read { database in
      let statement = try database.cachedStatement(
        sql: "SELECT count(*) FROM generation WHERE parent = ?1 AND json_extract(request, '$.regenerates') = ?1")
      return try Int.fetchOne(statement, arguments: [try StoredText.identifier(id.rawValue)]) ?? 0
    }
  }
}
