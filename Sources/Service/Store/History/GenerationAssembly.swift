import AtelierProtocol

extension Store {
  /// Generations from their rows, in the same order. What other tables have of them is read for all together.
  /// - Parameter rows: all columns of `generation`.
  func generations(in session: any SQLSession, rows: [SQLRow]) throws -> [GenerationRow] {
    if rows.isEmpty { return [] }
    let ids: [String] = try rows.map { try $0.value("id") }
    try session.prefetch(Self.details(ofGenerations: ids))
    let files = try session.files.files(ofGenerations: ids, in: localFiles)
    let credits = try session.holds.credits(ofGenerations: ids)
    let remarks = try session.remarks.remarks(ofGenerations: ids)
    return try zip(ids, rows).map { id, row in
      var generation = try GenerationRow(row, files: files[id] ?? [], credits: credits[id])
      if let remarks = remarks[id] { generation.add(remarks) }
      return generation
    }
  }

  /// What ``generations(in:rows:)`` reads of other tables.
  static func details(ofGenerations ids: [String]) throws -> [SQLQuery] {
    [
      try FileTable.files(ofGenerations: ids), try HoldTable.credits(ofGenerations: ids),
      try RemarkTable.remarks(ofGenerations: ids),
    ]
  }

  /// The generations with these ids, by their ids. Those that are missing have been deleted.
  func generations(
    withIDs ids: [GenerationID], in session: any SQLSession
  ) throws -> [GenerationID: GenerationRow] {
    Dictionary(try generations(ids, in: session).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension GenerationRow {
  /// Adds what was said of the generation after its end.
  fileprivate mutating func add(_ remarks: RemarkTable.Remarks) {
    feedback = remarks.feedback
    metadata = remarks.metadata ?? metadata
    isFavorite = remarks.isFavorite
  }
}
