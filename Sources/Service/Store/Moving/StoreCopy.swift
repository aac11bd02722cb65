import AtelierProtocol
import Glibc
import POSIX

/// Moves a store from a data directory into a database on a server, or back: every row of every table as it is, and the
/// pictures where they have to go.
///
/// Nobody may work with either of them meanwhile. The target is empty before, and broken off at any moment it is empty
/// again: its tables appear in one transaction, or its file under its name, after all rows were compared and the ledger was
/// audited. Pictures are named by their content and come first.
public struct StoreCopy: Sendable {
  /// Where history and ledger are.
  public enum Place: Sendable {
    case directory(DataDirectory)
    case server(PostgreSQLServer)

    /// For people.
    var shown: String {
      switch self {
      case .directory(let directory): directory.path
      case .server(let server): server.address.shown
      }
    }

    var directory: DataDirectory? { if case .directory(let directory) = self { directory } else { nil } }
  }

  /// What was copied.
  public struct Report: Codable, Sendable, Equatable {
    public var from: String
    public var to: String
    /// The rows of all tables.
    public var rows: Int
    /// The last movement of credits; absent where there is none.
    public var lastTransfer: LastTransfer?
    /// The pictures that rows name, and how many of them were copied or linked.
    public var pictures: Int
    public var copied: Int
    /// The pictures that are missing where they come from, or damaged.
    public var lost: [String]
  }

  /// The head of the chain of movements.
  public struct LastTransfer: Codable, Sendable, Equatable {
    public var seq: Int64
    public var hash: String
  }

  /// How far a copy is.
  public enum Progress: Sendable, Equatable {
    case pictures(Int, of: Int)
    case rows(Int)
  }

  let source: Place
  let target: Place
  /// The data directory that belongs to the database on the server: its pictures are there.
  let directory: DataDirectory
  /// Whether the pictures are in the directories. Those in a bucket stay there.
  let hasPictures: Bool
  let surroundings: StoreSurroundings

  public init(
    from source: Place, to target: Place, directory: DataDirectory, hasPictures: Bool = true,
    surroundings: StoreSurroundings
  ) {
    self.source = source
    self.target = target
    self.directory = directory
    self.hasPictures = hasPictures
    self.surroundings = surroundings
  }

  /// - Throws: a ``StoreError``; the target is as empty as before.
  public func run(progress: @escaping @Sendable (Progress) -> Void = { _ in }) async throws(StoreError) -> Report {
    do {
      return try await DedicatedThread.run { [self] in
        var entrances: [DirectoryEntrance] = []
        defer { for entrance in entrances { entrance.leave() } }
        for directory in try directories() { entrances.append(try enter(directory)) }
        return try copy(progress)
      }
    } catch {
      throw storeError(error)
    }
  }

  /// Each once: the same directory by two names would be waited for.
  private func directories() throws -> [DataDirectory] {
    var found: [DataDirectory] = []
    for directory in [source.directory, target.directory, directory].compactMap(\.self) {
      if directory.path == source.directory?.path, !directory.hasDatabase {
        throw StoreError(.failed, "\(directory.path) holds no database, so there is nothing to copy.")
      }
      try directory.prepare()
      let status = try FileStatus(path: directory.path, followingLinks: true)
      let isKnown = try found.contains { other in
        guard let status, let there = try FileStatus(path: other.path, followingLinks: true) else { return false }
        return status.isSameFile(as: there)
      }
      if !isKnown { found.append(directory) }
    }
    return found
  }

  private func enter(_ directory: DataDirectory) throws -> DirectoryEntrance {
    let entrance = try DirectoryEntrance(directory, isExclusive: true)
    try directory.requireUnused(to: "copy")
    return entrance
  }

  private func copy(_ progress: @escaping @Sendable (Progress) -> Void) throws -> Report {
    if let target = target.directory, try FileStatus(path: target.database) != nil {
      throw StoreError(
        .failed, "\(target.path) holds a database already. Nothing was copied. Name a new directory, or move the database "
          + "away.")
    }
    if case .server(let server) = target { try PostgreSQLFilling(server: server).check() }
    return try withSource { session, isUnchanged in
      let names = try hasPictures ? DatabaseFile.pictures(in: session) : []
      if !hasPictures { try requireNone(of: DatabaseFile.pictures(in: session)) }
      let (copied, lost) = try copyPictures(names, progress)
      let rows = TableCopy { progress(.rows($1)) }
      let sums = try fill(session, rows, isUnchanged)
      return Report(
        from: source.shown, to: target.shown, rows: sums.rows,
        lastTransfer: try DatabaseFile.lastTransfer(in: session).map { LastTransfer(seq: $0.seq, hash: $0.hash) },
        pictures: names.count - lost.count, copied: copied, lost: lost)
    }
  }

  // MARK: Rows

  /// Runs `work` while nobody can write where the rows come from.
  private func withSource<Value>(
    _ work: (_ session: any SQLSession, _ isUnchanged: () throws -> Void) throws -> Value
  ) throws -> Value {
    switch source {
    case .directory(let directory):
      return try DatabaseOpening(directory: directory, random: surroundings.random).whileLocked { try work($0) {} }
    case .server(let server):
      return try PostgreSQLOpening(server: server).whileLocked { session in
        try work(session) { try PostgreSQLLeases.requireNone(in: session, server) }
      }
    }
  }

  private func fill(
    _ session: any SQLSession, _ rows: TableCopy, _ isUnchanged: () throws -> Void
  ) throws -> TableCopy.Sums {
    switch target {
    case .server(let server):
      return try PostgreSQLFilling(server: server).fill(from: session, rows, makingSure: isUnchanged)
    case .directory(let directory):
      // Its files are removed with it; if this process dies, by the next one.
      let process = try ProcessLock(directory: directory, makeIdentifier: surroundings.makeIdentifier)
      defer { try? process.release() }
      let draft = "\(directory.temporary(of: process.id))/database"
      let sums = try DatabaseDraft.write(to: draft, from: session, rows, random: surroundings.random)
      try isUnchanged()
      // Logs of a database that is gone would be applied to this one.
      for log in directory.logs { try FileSystem.remove(log) }
      guard rename(draft, directory.database) == 0 else {
        throw FileFailure(operation: "replace", path: directory.database, code: errno)
      }
      try FileSystem.syncDirectory(directory.path)
      return sums
    }
  }

  // MARK: Pictures

  /// Pictures that are said to be in a bucket must not be in the folder of the source.
  private func requireNone(of names: [String]) throws {
    guard let directory = source.directory,
      let path = try names.lazy.map(directory.path(ofArtifact:)).first(where: { try FileStatus(path: $0) != nil })
    else { return }
    throw StoreError(
      .failed,
      "The pictures of \(directory.path), such as \(path), are in its folder and not in the bucket of the configuration. "
        + "Nothing was copied. Use `atelier backup` without this configuration, and `atelier restore` with it.")
  }

  /// Gives pictures a place where the target's are, and leaves them where they were.
  private func copyPictures(
    _ names: [String], _ progress: (Progress) -> Void
  ) throws -> (copied: Int, lost: [String]) {
    let (from, to) = (source.directory ?? directory, target.directory ?? directory)
    if from == to { return (0, try names.map(from.path(ofArtifact:)).filter { try FileStatus(path: $0) == nil }) }
    let process = try ProcessLock(directory: to, makeIdentifier: surroundings.makeIdentifier)
    defer { try? process.release() }
    let places = PicturePlaces(from: from, to: to, draft: "\(to.temporary(of: process.id))/picture")
    var (copied, lost) = (0, [String]())
    for (number, name) in names.enumerated() {
      switch try places.place(name) {
      case .isThere: break
      case .isNew: copied += 1
      case .isLost: lost.append(from.path(ofArtifact: name))
      }
      if number % 100 == 99 || number == names.count - 1 { progress(.pictures(number + 1, of: names.count)) }
    }
    try places.sync()
    return (copied, lost)
  }

  private func storeError(_ error: any Error) -> StoreError {
    switch error {
    case let error as StoreError: return error
    case let failure as FileFailure: return directory.unusable(failure)
    case let error as AtelierError: return StoreError(.failed, "\(error.forOperators) Nothing was copied.")
    default: break
    }
    for place in [source, target] {
      let fault: EngineFault? =
        switch place {
        case .directory(let directory): SQLiteError.fault(error, in: directory)
        case .server(let server): PostgreSQLError.fault(error, server: server)
        }
      if let fault { return fault.reason ?? StoreError(.failed, "The copy failed: \(fault.message). Nothing was copied.") }
    }
    return StoreError(.failed, "The copy failed: \(error). Nothing was copied.")
  }
}

/// Pictures that are given a place in another directory.
private final class PicturePlaces {
  enum Outcome { case isThere, isNew, isLost }

  private let from: DataDirectory
  private let to: DataDirectory
  private let draft: String
  private var folders: Set<String> = []

  /// - Parameter draft: where a copy is written that becomes a picture when it is whole.
  init(from: DataDirectory, to: DataDirectory, draft: String) {
    self.from = from
    self.to = to
    self.draft = draft
  }

  /// A second name where that is possible, which takes no space: a picture never changes under its name.
  func place(_ name: String) throws -> Outcome {
    let (old, new) = (from.path(ofArtifact: name), to.path(ofArtifact: name))
    guard let status = try FileStatus(path: old), status.isRegularFile else {
      return try FileStatus(path: new) == nil ? .isLost : .isThere
    }
    if try FileStatus(path: new) != nil { return .isThere }
    let (first, second) = (to.firstFolder(ofArtifact: name), to.folder(ofArtifact: name))
    if try FileSystem.makeDirectory(first) { folders.insert(to.artifacts) }
    if try FileSystem.makeDirectory(second) { folders.insert(first) }
    folders.insert(second)
    do throws(FileFailure) {
      return try FileSystem.link(old, as: new) ? .isNew : .isThere
    } catch where [EXDEV, EPERM, EMLINK, EOPNOTSUPP].contains(error.code) {
      return try copy(old, to: new, sha256: String(name.prefix(64)))
    }
  }

  private func copy(_ old: String, to new: String, sha256: String) throws -> Outcome {
    let content = try FileCopy.copy(old, to: draft)
    guard content.sha256 == sha256 else {
      try FileSystem.remove(draft)
      return .isLost
    }
    guard rename(draft, new) == 0 else { throw FileFailure(operation: "replace", path: new, code: errno) }
    return .isNew
  }

  func sync() throws {
    for folder in folders { try FileSystem.syncDirectory(folder) }
  }
}
