import AtelierProtocol
import Glibc
import POSIX

/// What a backup takes from a copy of the database that no process works with.
enum DatabaseFile {
  /// - Throws: when the database is damaged, or its ledger was altered: it must not replace a sound one.
  static func check(_ session: any SQLSession) throws {
    guard try DatabaseHealth.damage(in: session).isEmpty, try DatabaseHealth.brokenReferences(in: session).isEmpty else {
      throw AtelierError.storeDamaged
    }
    guard try LedgerAudit.findings(in: session).isEmpty else {
      throw AtelierError(
        .internal, "The ledger of credits is damaged: run `atelier doctor` to see what to do. Nothing was replaced.")
    }
  }

  /// The names of all pictures, sorted.
  static func pictures(in session: any SQLSession) throws -> [String] {
    let names = try session.artifacts.names()
    // They become paths.
    guard names.allSatisfy(DataDirectory.isArtifactName) else { throw AtelierError.storeDamaged }
    return names
  }

  static func lastTransfer(in session: any SQLSession) throws -> BackupManifest.LastTransfer? {
    try session.transfers.last().map { BackupManifest.LastTransfer(seq: $0.seq, hash: $0.hash) }
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
    guard text.hasSuffix("\n"), ProcessID(rawValue: String(text.dropLast())).isFileName else {
      throw AtelierError(.internal, "\(identityFile) is damaged. Remove it, and make the next backup into a new folder.")
    }
    return String(text.dropLast())
  }

  /// The operator's templates and their pictures: regular files below the folder, links inside of it included.
  func templateFiles() throws -> [(path: String, source: String)] {
    guard let root = try? FileSystem.resolved(templates) else { return [] }
    return try Self.files(below: root, prefix: BackupManifest.templates, root: root, depth: 0)
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
      guard let source = try? FileSystem.resolved(path), source.hasPrefix("\(root)/"),
        try FileStatus(path: source)?.isRegularFile == true
      else { return [] }
      return [("\(prefix)\(name)", source)]
    }
  }
}
