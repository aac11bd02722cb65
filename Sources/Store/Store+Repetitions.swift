import AtelierProtocol
import GRDB

extension Store {
  /// How many of the generations that name this one as their parent make it again, by what they record as `regenerates`
  /// beside their params.
  public func regenerations(of id: GenerationID) async throws(AtelierError) -> Int {
    try await read { database in
      let statement = try database.cachedStatement(
        sql: "SELECT count(*) FROM generation WHERE parent = ?1 AND json_extract(request, '$.regenerates') = ?1")
      return try Int.fetchOne(statement, arguments: [try StoredText.identifier(id.rawValue)]) ?? 0
    }
  }
}
