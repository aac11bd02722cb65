import AtelierProtocol

/// The SQL of the tables `file_note` and `file_removal`: which files of a bucket somebody is about to refer to, and which
/// are being removed.
struct FileNoteTable {
  let session: any SQLSession

  // MARK: Notes

  func insert(_ name: String, by process: ProcessID, number: UInt64) throws {
    try session.run(
      "INSERT INTO file_note (process, number, name) VALUES (?, ?, ?)",
      [process.rawValue, Int64(bitPattern: number), name])
  }

  func delete(of process: ProcessID, number: UInt64) throws {
    try session.run(
      "DELETE FROM file_note WHERE process = ? AND number = ?", [process.rawValue, Int64(bitPattern: number)])
  }

  func delete(of process: ProcessID) throws {
    try session.run("DELETE FROM file_note WHERE process = ?", [process.rawValue])
  }

  func delete(_ name: String, of process: ProcessID) throws {
    try session.run("DELETE FROM file_note WHERE process = ? AND name = ?", [process.rawValue, name])
  }

  static func notes(of process: ProcessID) -> SQLQuery {
    SQLQuery("SELECT number, name FROM file_note WHERE process = ?", [process.rawValue])
  }

  /// The notes of a process, which has few at a time.
  func notes(of process: ProcessID) throws -> [(number: UInt64, name: String)] {
    try session.rows(Self.notes(of: process)).map { row in
      (number: UInt64(bitPattern: try row.value("number")), name: try row.value("name"))
    }
  }

  /// Who has noted these names.
  func processes(noting names: [String]) throws -> [(name: String, process: ProcessID)] {
    if names.isEmpty { return [] }
    return try session.rows(
      "SELECT DISTINCT name, process FROM file_note WHERE name IN (SELECT value FROM json_each(?))",
      [try StoredText.json(names)]
    ).map { (name: try $0.value("name"), process: ProcessID(rawValue: try $0.value("process"))) }
  }

  /// Everybody who has notes.
  func processes() throws -> [ProcessID] {
    try session.values("SELECT DISTINCT process FROM file_note", as: String.self).map { ProcessID(rawValue: $0) }
  }

  // MARK: Removals

  /// Who removes a file; nil when nobody does.
  func remover(of name: String) throws -> ProcessID? {
    try session.value("SELECT process FROM file_removal WHERE name = ?", [name], as: String.self)
      .map { ProcessID(rawValue: $0) }
  }

  func removals() throws -> [(name: String, process: ProcessID)] {
    try session.rows("SELECT name, process FROM file_removal ORDER BY name").map {
      (name: try $0.value("name"), process: ProcessID(rawValue: try $0.value("process")))
    }
  }

  /// The names of files whose removal somebody has begun and left, at most so many.
  func leftRemovals(atMost most: Int) throws -> [String] {
    try session.values(
      "SELECT name FROM file_removal WHERE process = ? ORDER BY name LIMIT ?", [ProcessID.nobody.rawValue, most],
      as: String.self)
  }

  func countLeftRemovals() throws -> Int {
    try session.value("SELECT count(*) FROM file_removal WHERE process = ?", [ProcessID.nobody.rawValue]) ?? 0
  }

  /// Begins a removal, or takes over one that has not ended.
  func beginRemoval(of name: String, by process: ProcessID) throws {
    try session.run(
      """
      INSERT INTO file_removal (name, process) VALUES (?, ?)
      ON CONFLICT (name) DO UPDATE SET process = excluded.process
      """,
      [name, process.rawValue])
  }

  /// Ends a removal that this process has begun and nobody has taken over.
  func endRemoval(of name: String, by process: ProcessID) throws {
    try session.run("DELETE FROM file_removal WHERE name = ? AND process = ?", [name, process.rawValue])
  }

  /// Leaves a removal to whoever takes it over.
  func leaveRemoval(of name: String, by process: ProcessID) throws {
    try session.run(
      "UPDATE file_removal SET process = ? WHERE name = ? AND process = ?",
      [ProcessID.nobody.rawValue, name, process.rawValue])
  }
}

extension SQLSession {
  var fileNotes: FileNoteTable { FileNoteTable(session: self) }
}
