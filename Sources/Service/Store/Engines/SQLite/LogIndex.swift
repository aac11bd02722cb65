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
