import AtelierProtocol
import GRDB
import Glibc
import POSIX

/// A copy of the database that no process works with.
enum DatabaseFile {
  /// Copies one moment of the database into the new file `path`, readable by its owner only, and makes it durable;
  /// concurrent writers do not wait.
  /// - Parameter live: outside of any transaction.
  static func copy(_ live: Database, to path: String) throws {
    // SQLite treats an empty file as a new database and keeps its permissions.
    try FileSystem.writeDurably([], to: path)
    do {
      try live.execute(sql: "VACUUM INTO ?", arguments: [path])
    } catch let error as DatabaseError where !error.isDamage {
      let isFull = error.resultCode == .SQLITE_FULL || FileSystem.isFull(path)
      throw FileFailure(operation: "write to", path: path, code: isFull ? ENOSPC : EIO)
    }
    let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(operation: "open", path: path, code: errno) }
    defer { close(descriptor) }
    try FileSystem.sync(descriptor, path: path)
  }

  /// Runs `work` with a read-only connection.
  static func read<Value>(
    _ path: String, random: @escaping @Sendable () -> UInt64, _ work: (Database) throws -> Value
  ) throws -> Value {
    let queue = try DatabaseQueue(
      path: path, configuration: ConnectionSettings.configuration(readonly: true, wait: BusyWait(random: random)))
    do {
      let value = try queue.read(work)
      try queue.close()
      return value
    } catch {
      try? queue.close()
      throw error
    }
  }

  /// - Throws: when the database is damaged, or its ledger was altered: it must not replace a sound one.
  static func check(_ database: Database) throws {
    let damage = try String.fetchAll(database, sql: "PRAGMA integrity_check(1)").filter { $0 != "ok" }
    guard damage.isEmpty, try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").isEmpty else {
      throw AtelierError.storeDamaged
    }
    guard try LedgerAudit.findings(in: database).isEmpty else {
      throw AtelierError(
        .internal, "The ledger of credits is damaged: run `atelier doctor` to see what to do. Nothing was replaced.")
    }
  }

  /// The names of all pictures, sorted.
  static func pictures(in database: Database) throws -> [String] {
    let names = try String.fetchAll(database, sql: "SELECT name FROM artifact ORDER BY name")
    // They become paths.
    guard names.allSatisfy(DataDirectory.isArtifactName) else { throw AtelierError.storeDamaged }
    return names
  }

  static func lastTransfer(in database: Database) throws -> BackupManifest.LastTransfer? {
    try Row.fetchOne(database, sql: "SELECT seq, hash FROM transfer ORDER BY seq DESC LIMIT 1").map {
      BackupManifest.LastTransfer(seq: try $0.value("seq"), hash: try $0.value("hash"))
    }
  }
}

extension DataDirectory {
  /// The file that tells this data directory from others, however it is moved; a backup is one of it.
  var identityFile: String { "\(path)/backup.id" }

  /// The id in ``identityFile``, which is made when it is missing.
  func backupIdentity(makeIdentifier: (String) -> String) throws -> String {
    if try FileStatus(path: identityFile) == nil {
      let new = "\(identityFile).\(makeIdentifier("partial_"))"
      defer { unlink(new) }
      try FileSystem.writeDurably(Array((makeIdentifier("data_") + "\n").utf8), to: new)
      // Another process may have made it meanwhile; then its id counts.
      _ = try FileSystem.link(new, as: identityFile)
      try FileSystem.syncDirectory(path)
    }
    let text = String(decoding: try FileSystem.read(identityFile), as: UTF8.self)
    guard text.hasSuffix("\n"), OwnerID(rawValue: String(text.dropLast())).isFileName else {
      throw AtelierError(.internal, "\(identityFile) is damaged. Remove it, and make the next backup into a new folder.")
    }
    return String(text.dropLast())
  }

  /// The operator's templates and their pictures: regular files below the folder, links inside of it included.
  func templateFiles() throws -> [(path: String, source: String)] {
    guard let root = realpath(templates, nil) else { return [] }
    defer { free(root) }
    return try Self.files(below: String(cString: root), prefix: BackupManifest.templates, root: String(cString: root), depth: 0)
  }

  private static func files(
    below folder: String, prefix: String, root: String, depth: Int
  ) throws -> [(path: String, source: String)] {
    guard depth < 8 else { return [] }
    return try FileSystem.names(in: folder).flatMap { name -> [(path: String, source: String)] in
      let path = "\(folder)/\(name)"
      if try FileStatus(path: path)?.isDirectory == true {
        return try files(below: path, prefix: "\(prefix)\(name)/", root: root, depth: depth + 1)
      }
      // The service uses no file that a link brings in from elsewhere.
      guard let resolved = realpath(path, nil) else { return [] }
      defer { free(resolved) }
      let source = String(cString: resolved)
      guard source.hasPrefix("\(root)/"), try FileStatus(path: source)?.isRegularFile == true else { return [] }
      return [("\(prefix)\(name)", source)]
    }
  }
}
