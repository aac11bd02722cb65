import CEmptyDatabase

/// A new database with today's tables and nothing in them.
enum EmptyDatabase {
  /// Its file, which has a write-ahead log.
  static var bytes: [UInt8] {
    let file = cemptydatabase()
    // Part of the binary: the bytes are there for as long as the process is, and nobody changes them.
    return Array(UnsafeBufferPointer(start: file.bytes, count: file.size))
  }
}
