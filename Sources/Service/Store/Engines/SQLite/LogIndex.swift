import GRDB
import GRDBSQLite

/// What SQLite's wal-index (`atelier.sqlite-shm`) says of the write-ahead log, see https://sqlite.org/walformat.html,
/// section 2.
struct LogIndex: Sendable, Equatable, Codable {
  /// The log's random number, new with each of its beginnings; the log's header has the same.
  var salts: UInt64
  /// How many frames of the log are valid.
  var frames: UInt32
  /// How many of them are copied into the database file, and how many were to be copied by the latest try.
  var copied: UInt32
  var attempted: UInt32
  /// The size of a page, in bytes.
  var pageBytes: Int

  /// The part of the file that is read here.
  static let bytes = 136

  /// - Parameter bytes: the first ones of the wal-index, in the byte order of this machine.
  /// - Returns: nil for an index that is not in use, or is just being written.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.bytes, bytes[12] == 1, bytes[..<48] == bytes[48..<96] else { return nil }
    func number(_ offset: Int) -> UInt32 {
      bytes[offset..<offset + 4].enumerated().reduce(0) { $0 | UInt32($1.element) << (8 * UInt32($1.offset)) }.littleEndian
    }
    salts = bytes[32..<40].reduce(0) { $0 << 8 | UInt64($1) }
    (frames, copied, attempted) = (number(16), number(96), number(128))
    let size = Int(bytes[14]) | Int(bytes[15]) << 8
    pageBytes = size == 1 ? 65_536 : size
  }

  /// Whether no copying is under way or was broken off.
  var isFullyCopied: Bool { copied == attempted }

  /// Whether it is the same beginning of the log, with as many frames copied.
  func isSameCopy(as other: LogIndex) -> Bool {
    salts == other.salts && copied == other.copied && attempted == other.attempted
  }

  /// Whether nothing was copied into the database file between `earlier` and this.
  func hasCopiedNothing(since earlier: LogIndex) -> Bool {
    isFullyCopied && isSameCopy(as: earlier)
  }

  /// How long the file of the log must be, in bytes.
  var logBytes: Int { 32 + Int(frames) * (24 + pageBytes) }
}

/// The files of one connection as SQLite has them open, whatever their names lead to. Reading them here opens nothing:
/// closing another descriptor of the database would drop all locks that this process has on it.
///
/// Used on the connection's thread and within the call that has the connection.
struct ConnectionFiles {
  private let connection: OpaquePointer

  init?(_ database: Database) {
    guard let connection = database.sqliteConnection else { return nil }
    self.connection = connection
  }

  /// Whether the name of the database leads to another file than the open one, as SQLite sees it.
  var hasMoved: Bool {
    var moved: Int32 = 0
    return sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0
  }

  /// Nil when the database has no log in use.
  var index: LogIndex? {
    var page: UnsafeMutableRawPointer?
    // The first region of the index, of 32 KiB, is mapped for as long as the connection uses a log. SQLite keeps it
    // mapped, so the bytes can be copied; a copy that another process disturbs is no valid index.
    guard let file = file(SQLITE_FCNTL_FILE_POINTER), let map = file.pointee.pMethods?.pointee.xShmMap,
      map(file, 0, 32_768, 0, &page) == SQLITE_OK, let page
    else { return nil }
    return LogIndex(Array(UnsafeRawBufferPointer(start: page, count: LogIndex.bytes)))
  }

  /// Bytes of the open database file; nil when they cannot be read.
  func read(_ offset: Int, _ count: Int) -> [UInt8]? { read(SQLITE_FCNTL_FILE_POINTER, offset, count) }

  /// Whether the open log is the one that the index describes: nobody has shortened or overwritten it.
  func hasLog(of index: LogIndex) -> Bool {
    guard index.frames > 0 else { return true }
    var size: Int64 = 0
    guard let file = file(SQLITE_FCNTL_JOURNAL_POINTER), let measure = file.pointee.pMethods?.pointee.xFileSize,
      measure(file, &size) == SQLITE_OK, let header = read(SQLITE_FCNTL_JOURNAL_POINTER, 0, 32)
    else { return true }
    return size >= index.logBytes && header[16..<24].reduce(0) { $0 << 8 | UInt64($1) } == index.salts
  }

  private func file(_ operation: Int32) -> UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    // SQLite stores a pointer to a file that lives as long as the connection.
    guard sqlite3_file_control(connection, "main", operation, &file) == SQLITE_OK else { return nil }
    return file
  }

  private func read(_ operation: Int32, _ offset: Int, _ count: Int) -> [UInt8]? {
    guard let file = file(operation), let read = file.pointee.pMethods?.pointee.xRead else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    return read(file, &bytes, Int32(count), Int64(offset)) == SQLITE_OK ? bytes : nil
  }
}
