import AtelierProtocol
import GRDB

extension Store {
  /// The model's answers that came with the images of a generation, by image index; empty when none were kept, as for
  /// private generations, or when the generation is gone.
  public func turns(of id: GenerationID) async throws(AtelierError) -> [SettledTurn] {
    try await read { database in
      let statement = try database.cachedStatement(
        sql: "SELECT position, json FROM generation_turn WHERE generation_id = ? ORDER BY position")
      return try Row.fetchAll(statement, arguments: [try StoredText.identifier(id.rawValue)]).map { row in
        SettledTurn(index: try row.value("position"), json: try row.json("json"))
      }
    }
  }
}

extension SettledTurn {
  func insert(into database: Database, generation: GenerationID) throws {
    try database.cachedStatement(sql: "INSERT INTO generation_turn (generation_id, position, json) VALUES (?, ?, ?)")
      .execute(arguments: [generation.rawValue, index, try StoredText.json(json)])
  }
}
