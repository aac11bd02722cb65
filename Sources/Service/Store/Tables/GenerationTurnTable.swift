import AtelierProtocol

/// The SQL of the table `generation_turn`.
struct GenerationTurnTable {
  let session: any SQLSession

  /// The turns of a generation, by image index.
  func all(of id: GenerationID) throws -> [StoredTurn] {
    try session.rows(
      "SELECT position, json FROM generation_turn WHERE generation_id = ? ORDER BY position",
      [try StoredText.identifier(id.rawValue)]
    ).map { StoredTurn(index: try $0.value("position"), json: try $0.json("json")) }
  }

  func insert(_ turn: StoredTurn, of id: GenerationID) throws {
    try session.run(
      "INSERT INTO generation_turn (generation_id, position, json) VALUES (?, ?, ?)",
      [id.rawValue, turn.index, try StoredText.json(turn.json)])
  }
}

extension SQLSession {
  var turns: GenerationTurnTable { GenerationTurnTable(session: self) }
}
