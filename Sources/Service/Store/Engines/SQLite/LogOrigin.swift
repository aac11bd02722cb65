import Crypto
import Encodings
import Glibc
import JSON
import POSIX

/// Which database a write-ahead log belongs to.
///
/// SQLite applies a log to whatever database lies beside it: a backup copied over the database of a process that was
/// killed would be mixed with the log of its predecessor. So every process notes, in a file beside both, what the database
/// file was when it was last written. From then on only the frames of that log may have changed it.
///
/// The note is a hint: without one, or of another log, nothing is decided.
struct LogOrigin: Sendable, Equatable, Codable {
  var database: FileIdentity
  var bytes: Int
  /// When the file was last written, in nanoseconds since 1970.
  var changed: Int64
  /// A digest of some of its pages.
  var sample: String
  var log: FileIdentity
  var index: LogIndex
  /// The start of the machine: after another one, the index on the disk may be older than the database.
  var boot: String

  func isWritten(since status: FileStatus) -> Bool {
    bytes != status.bytes || changed != status.contentChanged
  }

  // MARK: The file

  static func load(from path: String) -> LogOrigin? {
    guard let bytes = try? FileSystem.read(path), let value = try? JSONValue(parsing: bytes) else { return nil }
    return try? JSONValueDecoder(unknownMembers: .ignore).decode(LogOrigin.self, from: value)
  }

  /// A note that cannot be written is missing, or stays as it was; nothing depends on it. Of two processes that write it at
  /// once, one may take the unfinished draft of the other, which is no note then.
  func save(in directory: DataDirectory) {
    guard let bytes = try? JSONValueEncoder().encode(self).serialized() else { return }
    let draft = directory.logOriginDraft
    do {
      try FileSystem.remove(draft)
      try FileSystem.writeNew(bytes, to: draft)
      if rename(draft, directory.logOrigin) != 0 { unlink(draft) }
    } catch {
      unlink(draft)
    }
  }

  // MARK: Before the database is opened

  /// - Throws: a ``StoreError`` when the log beside the database is another one's; nothing is changed then.
  static func check(_ directory: DataDirectory) throws {
    guard let note = load(from: directory.logOrigin), let log = try FileStatus(path: directory.log),
      log.bytes > 32, log.identity == note.log, let database = try FileStatus(path: directory.database),
      note.database != database.identity || note.isWritten(since: database)
    else { return }
    // Only here are the files opened and closed again, which drops the locks of other connections of this process.
    guard let bytes = try content(ofLog: directory.log) else { return }
    guard LogFrames.salts(bytes) == note.index.salts else { return }
    let file = try OpenedForReading(directory.database)
    if note.database == database.identity {
      if pageSample(bytes: database.bytes, file.read) == note.sample { return }
      let isUntouched = note.boot == bootIdentifier && index(directory)?.hasCopiedNothing(since: note.index) == true
      if !isUntouched, LogFrames(bytes).contains(where: { file.read($0.offset, $0.page.count) == Array($0.page) }) { return }
    }
    throw StoreError(
      .strayLog,
      "\(directory.database) was replaced, and the log beside it belongs to the database that was there before: "
        + "together they would damage each other. Nothing was changed. To use the database that is there now, move the "
        + "log away: mv \(ShellWord(directory.log)) \(ShellWord("\(directory.database)-shm")) /tmp. To have the earlier "
        + "one again, put it back in its place.")
  }

  /// - Returns: nil when the log is gone: the last process that had the database open has closed it meanwhile.
  private static func content(ofLog path: String) throws(FileFailure) -> [UInt8]? {
    do {
      return try FileSystem.read(path)
    } catch {
      guard error.code == ENOENT else { throw error }
      return nil
    }
  }

  private static func index(_ directory: DataDirectory) -> LogIndex? {
    (try? OpenedForReading("\(directory.database)-shm"))?.read(0, LogIndex.bytes).flatMap(LogIndex.init)
  }

  // MARK: Parts

  /// The digest of at most 64 pages, spread evenly; it shows whether a file that was written says something else now.
  static func pageSample(bytes: Int, _ read: (_ offset: Int, _ count: Int) -> [UInt8]?) -> String? {
    let count = bytes / sampleBytes
    var hash = SHA256()
    for number in 0..<min(count, mostSamples) {
      let page = count <= mostSamples ? number : number * (count - 1) / (mostSamples - 1)
      guard let content = read(page * sampleBytes, sampleBytes) else { return nil }
      hash.update(data: content)
    }
    return Hexadecimal.text(hash.finalize())
  }

  private static let (sampleBytes, mostSamples) = (4096, 64)

  static let bootIdentifier: String = {
    let file = try? OpenedForReading("/proc/sys/kernel/random/boot_id")
    return file?.read(0, 36).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }()
}

/// A file that is read at chosen places.
private final class OpenedForReading {
  private let descriptor: Descriptor

  init(_ path: String) throws(FileFailure) {
    let number = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard number >= 0 else { throw FileFailure(operation: "open", path: path, code: errno) }
    descriptor = Descriptor(number)
  }

  /// - Returns: nil unless all of it is there.
  func read(_ offset: Int, _ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return pread(descriptor.number, &bytes, count, off_t(offset)) == count ? bytes : nil
  }
}

/// The frames of a write-ahead log, as far as they are valid.
struct LogFrames: Sequence, IteratorProtocol {
  struct Frame {
    /// Where its page belongs in the database file.
    var offset: Int
    var page: ArraySlice<UInt8>
  }

  private let bytes: [UInt8]
  private let pageBytes: Int
  private var position = 32

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    pageBytes = bytes.count >= 32 ? Int(Self.number(bytes[8..<12])) : 0
  }

  static func salts(_ bytes: [UInt8]) -> UInt64? { bytes.count >= 32 ? number(bytes[16..<24]) : nil }

  mutating func next() -> Frame? {
    let end = position + 24 + pageBytes
    guard pageBytes >= 512, pageBytes <= 65_536, end <= bytes.count,
      Self.number(bytes[position + 8..<position + 16]) == Self.salts(bytes)
    else { return nil }
    defer { position = end }
    let number = Int(Self.number(bytes[position..<position + 4]))
    return number > 0 ? Frame(offset: (number - 1) * pageBytes, page: bytes[position + 24..<end]) : nil
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
