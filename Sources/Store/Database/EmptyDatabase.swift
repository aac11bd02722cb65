import GRDBSQLite

/// A new database with today's tables and nothing in them, as the bytes of its file.
///
/// Made in memory and written at once, it is there whole or not at all, and a first start waits for the disk a few times
/// less than it would for SQLite's transactions.
enum EmptyDatabase {
  /// Where the file's header says how it is written and how it is read; 2 is with a write-ahead log (SQLite's file
  /// format, 1.3.3).
  private static let formatVersions = 18...19

  /// - Throws: ``StoreError`` when there is no memory for it.
  static func bytes() throws(StoreError) -> [UInt8] {
    // SQLite's pointers stay in this function: the connection is used by this thread only and closed when it returns,
    // and the image is copied before it is freed.
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    guard sqlite3_open(":memory:", &connection) == SQLITE_OK else { throw failure(of: connection) }
    let statements = ["BEGIN"] + Schema.steps + [Migration.seal(version: Schema.version), "COMMIT"]
    for statement in statements {
      guard sqlite3_exec(connection, statement, nil, nil, nil) == SQLITE_OK else { throw failure(of: connection) }
    }
    var size: sqlite3_int64 = 0
    guard let image = sqlite3_serialize(connection, "main", &size, 0) else { throw failure(of: connection) }
    defer { sqlite3_free(image) }
    var bytes = Array(UnsafeBufferPointer(start: image, count: Int(size)))
    for offset in formatVersions { bytes[offset] = 2 }
    return bytes
  }

  private static func failure(of connection: OpaquePointer?) -> StoreError {
    let reason = connection.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? "no memory"
    return StoreError(.failed, "A new database could not be made (\(reason)).")
  }
}
