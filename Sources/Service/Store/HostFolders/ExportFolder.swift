import AtelierProtocol
import Crypto
import Encodings
import Glibc
import POSIX

/// The folder of an export: it contains a file of records and, for generations, a folder with the pictures, named by
/// their digests. Files that do not belong to an export stay unchanged.
public struct ExportFolder: Sendable {
  public static let pictures = "atelier-pictures"

  /// What the file of records contains.
  public enum Contents: Sendable {
    /// A generation in each line; their pictures are in a folder beside it.
    case generations
    /// What is kept of an account itself, as one object.
    case account
    /// Places, in a format whose files begin with `beginning`.
    case places(fileExtension: String, beginning: String)
  }

  let path: String
  private let contents: Contents
  /// The name of the file of records.
  let records: String
  private let folder: OutputDirectory

  /// - Parameters:
  ///   - account: the account to export; nil for all accounts.
  ///   - allowed: the folders that it must be in; nil if it may be anywhere.
  public init(
    path: String, account: AccountID?, within allowed: AllowedFolders? = nil, contents: Contents = .generations
  ) {
    self.path = path
    folder = OutputDirectory(path: path, within: allowed)
    self.contents = contents
    let suffix = account.map { "-\(Self.fileName($0))" } ?? ""
    switch contents {
    case .account: records = "atelier-account\(suffix).json"
    case .generations: records = "atelier-history\(suffix).jsonl"
    case .places(let fileExtension, _): records = "atelier-places\(suffix).\(fileExtension)"
    }
  }

  /// For what is said of the folder with the pictures.
  private var pictureFolder: OutputDirectory { OutputDirectory(path: "\(path)/\(Self.pictures)") }
  public var recordsPath: String { "\(path)/\(records)" }
  private var partialName: String { ".\(records).partial" }

  /// Keeps letters and digits, and writes every other byte as its number.
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

  /// Prepares an export, or throws an error that says what prevents it.
  /// - Returns: the file to which the records are appended.
  /// - Throws: `file_access_denied`, `storage_full`.
  public func begin() async throws -> ExportRecords {
    try await LazyThreadPool.hostFiles.run {
      let opened = try folder.openNow()
      guard case .generations = contents else {
        try checkRecords(in: opened)
        return try ExportRecords(name: partialName, in: opened, of: folder)
      }
      if mkdir("\(opened.path)/\(Self.pictures)", 0o700) != 0, errno != EEXIST {
        throw folder.failure("The pictures could not be written", errno)
      }
      try pictureFolder.check(try openPictures(in: opened))
      try checkRecords(in: opened)
      return try ExportRecords(name: partialName, in: opened, of: folder)
    }
  }

  private func openPictures(in opened: OpenedFolder) throws -> OpenedFolder {
    guard let pictures = opened.folder(Self.pictures) else {
      throw AtelierError(
        .fileAccessDenied, "\(pictureFolder.path) is not a folder. Move it away, or name another folder.")
    }
    return pictures
  }

  /// An existing file of that name must come from an earlier export.
  private func checkRecords(in opened: OpenedFolder) throws {
    let descriptor = open("\(opened.path)/\(records)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return }
    defer { if descriptor >= 0 { close(descriptor) } }
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size == 0 || Self.beginning(of: descriptor, count: beginning.count) == beginning
    else {
      throw AtelierError(
        .fileAccessDenied,
        "\(recordsPath) exists and was not written by an export. Move it away, or name another folder.")
    }
  }

  /// The first bytes of a file of records; of generations those of each record, see `Generation`.
  private var beginning: [UInt8] {
    switch contents {
    case .account: Array(#"{"account":""#.utf8)
    case .generations: Array(#"{"generationId":""#.utf8)
    case .places(_, let beginning): Array(beginning.utf8)
    }
  }

  private static func beginning(of descriptor: Int32, count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let count = read(descriptor, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }

  /// Whether the complete picture already exists.
  /// - Throws: `file_access_denied` when something else has its name.
  public func hasPicture(_ name: String, sha256: String) async throws -> Bool {
    let path = "\(pictureFolder.path)/\(name)"
    return try await LazyThreadPool.hostFiles.run {
      let pictures = try openPictures(in: try folder.openNow())
      let descriptor = open("\(pictures.path)/\(name)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
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

  /// Writes a picture durably and atomically under its name.
  /// - Throws: `file_access_denied`, `storage_full`.
  public func placePicture(_ bytes: [UInt8], as name: String) async throws {
    try await LazyThreadPool.hostFiles.run {
      let pictures = try openPictures(in: try folder.openNow())
      let temporary = "\(pictures.path)/.\(name).partial"
      defer { unlink(temporary) }
      try pictureFolder.write(bytes, to: temporary)
      // A file that another process placed first is the same picture: its name is its digest.
      _ = try pictureFolder.give(temporary, name: "\(pictures.path)/\(name)")
    }
  }

  /// Makes the records and all pictures durable and gives the records their final name.
  public func finish(_ records: ExportRecords) async throws {
    try await LazyThreadPool.hostFiles.run {
      try records.synchronise()
      let opened = records.opened
      if case .generations = contents, let pictures = opened.folder(Self.pictures) {
        try? FileSystem.syncDirectory(pictures.path)
      }
      guard rename(records.path, "\(opened.path)/\(self.records)") == 0 else {
        throw folder.failure("The file of records could not be written", errno)
      }
      try? FileSystem.syncDirectory(opened.path)
    }
  }
}

/// The file of records while it is being written; it is deleted with this value unless it got its final name.
///
/// Locked, so that two exports do not write into one folder at the same time.
public final class ExportRecords: Sendable {
  private let descriptor: Int32
  let path: String
  /// The folder that it is in; held for as long as its path is used.
  let opened: OpenedFolder
  private let folder: OutputDirectory

  init(name: String, in opened: OpenedFolder, of folder: OutputDirectory) throws {
    path = "\(opened.path)/\(name)"
    self.opened = opened
    self.folder = folder
    descriptor = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw folder.failure("The file of records could not be written", errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw AtelierError(
        .fileAccessDenied, "Another export into \(folder.path) is running. Wait for its end, or name another folder.")
    }
    guard ftruncate(descriptor, 0) == 0 else { throw folder.failure("The file of records could not be written", errno) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// - Throws: `file_access_denied`, `storage_full`.
  public func append(_ bytes: [UInt8]) async throws {
    try await LazyThreadPool.hostFiles.run { [self] in
      do throws(FileFailure) {
        try FileSystem.write(bytes, to: descriptor, path: path)
      } catch {
        throw folder.failure("The file of records could not be written", error.code)
      }
    }
  }

  func synchronise() throws {
    do throws(FileFailure) {
      try FileSystem.sync(descriptor, path: path)
    } catch {
      throw folder.failure("The file of records could not be written", error.code)
    }
  }

  /// Deletes the file.
  public func remove() async {
    try? await LazyThreadPool.hostFiles.run { [self] in _ = unlink(path) }
  }
}
