import AtelierProtocol
import Crypto
import Encodings
import Glibc
import POSIX

/// The folder an export goes into: a file of records and, in a folder beside it, the pictures by their digests. What
/// lies there and is not of an export stays as it is.
public struct ExportFolder: Sendable {
  public static let pictures = "atelier-pictures"

  let path: String
  /// The name of the file of records.
  let records: String

  /// - Parameter account: whose records; nil for everybody's.
  public init(path: String, account: AccountID?) {
    self.path = path
    records = account.map { "atelier-history-\(Self.fileName($0)).jsonl" } ?? "atelier-history.jsonl"
  }

  private var folder: OutputDirectory { OutputDirectory(path: path) }
  private var pictureFolder: OutputDirectory { OutputDirectory(path: "\(path)/\(Self.pictures)") }
  public var recordsPath: String { "\(path)/\(records)" }
  private var partialPath: String { "\(path)/.\(records).partial" }

  /// Letters and digits as they are, every other byte by its number.
  private static func fileName(_ account: AccountID) -> String {
    let name = account.rawValue.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        String(UnicodeScalar(byte))
      default: "%" + String(byte, radix: 16)
      }
    }.joined()
    if name.utf8.count <= 128 { return name }
    return StoredArtifact.digest(Array(name.utf8))
  }

  /// Makes ready for an export, or says what is in its way.
  /// - Returns: where the records are to be appended.
  /// - Throws: `file_access_denied`, `storage_full`.
  public func begin() async throws -> ExportRecords {
    try await DedicatedThread.run {
      try folder.checkNow()
      if mkdir(pictureFolder.path, 0o700) != 0, errno != EEXIST {
        throw folder.failure("Pictures could not be put", errno)
      }
      var status = stat()
      guard lstat(pictureFolder.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
        throw AtelierError(
          .fileAccessDenied, "\(pictureFolder.path) is not a folder. Move it away, or name another folder.")
      }
      try pictureFolder.checkNow()
      try checkRecords()
      return try ExportRecords(partialPath: partialPath, folder: folder)
    }
  }

  /// A file of that name must be of an earlier export.
  private func checkRecords() throws {
    let descriptor = open(recordsPath, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return }
    defer { if descriptor >= 0 { close(descriptor) } }
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size == 0 || Self.isRecord(Self.beginning(of: descriptor))
    else {
      throw AtelierError(
        .fileAccessDenied,
        "\(recordsPath) is there and is not of an export. Move it away, or name another folder.")
    }
  }

  /// As each record begins: see `History.Entry`.
  private static func isRecord(_ bytes: [UInt8]) -> Bool { bytes.starts(with: Array(#"{"generationId":""#.utf8)) }

  private static func beginning(of descriptor: Int32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = read(descriptor, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }

  /// Whether a picture is there already, whole.
  /// - Throws: `file_access_denied` when something else has its name.
  public func hasPicture(_ name: String, sha256: String) async throws -> Bool {
    let path = "\(pictureFolder.path)/\(name)"
    return try await DedicatedThread.run {
      let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      if descriptor < 0, errno == ENOENT { return false }
      guard descriptor >= 0 else { throw Self.inTheWay(path) }
      defer { close(descriptor) }
      var hash = SHA256()
      var part = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = read(descriptor, &part, part.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw Self.inTheWay(path) }
        if count == 0 { break }
        hash.update(data: part[..<count])
      }
      let digest = Hexadecimal.text(hash.finalize())
      guard digest == sha256 else { throw Self.inTheWay(path) }
      return true
    }
  }

  private static func inTheWay(_ path: String) -> AtelierError {
    AtelierError(
      .fileAccessDenied, "\(path) is there and is not the picture of that name. Move it away, or name another folder.")
  }

  /// Writes a picture durably under its name, at once or not at all.
  /// - Throws: `file_access_denied`, `storage_full`.
  public func placePicture(_ bytes: [UInt8], as name: String) async throws {
    let temporary = "\(pictureFolder.path)/.\(name).partial"
    try await DedicatedThread.run {
      defer { unlink(temporary) }
      try pictureFolder.write(bytes, to: temporary)
      // Where somebody was quicker, it is the same picture: its name is its digest.
      _ = try pictureFolder.give(temporary, name: "\(pictureFolder.path)/\(name)")
    }
  }

  /// Gives the records their name, durably, with all pictures.
  public func finish(_ records: ExportRecords) async throws {
    try await DedicatedThread.run {
      try records.synchronise()
      try? FileSystem.syncDirectory(pictureFolder.path)
      guard rename(partialPath, recordsPath) == 0 else { throw folder.failure("The records could not be put", errno) }
      try? FileSystem.syncDirectory(path)
    }
  }
}

/// The file of records while it is being written; it is gone with this value unless it was given its name.
///
/// Locked, so that two exports into one folder do not write into each other.
public final class ExportRecords: Sendable {
  private let descriptor: Int32
  private let path: String
  private let folder: OutputDirectory

  init(partialPath: String, folder: OutputDirectory) throws {
    path = partialPath
    self.folder = folder
    descriptor = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw folder.failure("The records could not be put", errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw AtelierError(
        .fileAccessDenied, "Another export into \(folder.path) is going on. Wait for its end, or name another folder.")
    }
    guard ftruncate(descriptor, 0) == 0 else { throw folder.failure("The records could not be put", errno) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// - Throws: `file_access_denied`, `storage_full`.
  public func append(_ bytes: [UInt8]) async throws {
    try await DedicatedThread.run { [self] in
      do throws(FileFailure) {
        try FileSystem.write(bytes, to: descriptor, path: path)
      } catch {
        throw folder.failure("The records could not be put", error.code)
      }
    }
  }

  func synchronise() throws {
    do throws(FileFailure) {
      try FileSystem.sync(descriptor, path: path)
    } catch {
      throw folder.failure("The records could not be put", error.code)
    }
  }

  /// Leaves nothing of it.
  public func remove() async {
    try? await DedicatedThread.run { [path] in _ = unlink(path) }
  }
}
