import Foundation
import GRDB
import Glibc
import Support

/// Looks at a data directory from outside, with no code of the service's: what must hold whenever no request is being
/// worked on, and after every crash once somebody has recovered.
struct DataDirectoryAudit {
  var path: String

  /// - Parameter processes: how many processes have the directory open.
  /// - Returns: a sentence for everything that does not hold.
  func findings(processes: Int) throws -> [String] {
    let files = try artifactFiles()
    let living = try livingProcesses()
    var findings = try processFindings(processes: processes)
    for (process, names) in try temporaryFiles() {
      if !living.names.contains(process) { findings.append("the temporary folder of \(process) outlived its process") }
      findings += names.map { "the temporary file \(process)/\($0) was left" }
    }
    guard FileManager.default.fileExists(atPath: database) else {
      return findings + files.keys.map { "\($0) is there without a database" }
    }
    return try findings + databaseFindings(files: files, processes: living.names)
  }

  /// The same for a service that has answered everything: what it does after its answers, as making thumbnails, it is
  /// given the time of a few hundred requests to end.
  func lastingFindings(of service: ServiceChild) async throws -> [String] {
    for _ in 0..<500 {
      if try findings(processes: 1).isEmpty { return [] }
      _ = try await service.call("status")
    }
    return try findings(processes: 1)
  }

  /// Only what concerns the locks: for when somebody is at work.
  func processFindings(processes: Int) throws -> [String] {
    let living = try livingProcesses()
    if living.names.count == processes { return living.findings }
    return living.findings + ["\(living.names.count) processes hold a lock instead of \(processes)"]
  }

  /// The copies that generations say they put into folders of hosts.
  func copies() throws -> Set<String> {
    try read { database in
      Set(try String.fetchAll(
        database, sql: "SELECT output_path FROM generation_file WHERE output_path IS NOT NULL"))
    }
  }

  /// The prepared images there are.
  func preparedIDs() throws -> Set<String> {
    try read { Set(try String.fetchAll($0, sql: "SELECT id FROM prepared")) }
  }

  /// What the database says of each generation: its state by its id.
  func states() throws -> [String: String] {
    try read { database in
      let rows = try Row.fetchAll(database, sql: "SELECT id, state FROM generation")
      return Dictionary(uniqueKeysWithValues: rows.map { ($0["id"], $0["state"]) })
    }
  }

  /// The digests of a generation's images, in order.
  func digests(of generation: String) throws -> [String] {
    try read { database in
      try String.fetchAll(
        database, sql: "SELECT sha256 FROM generation_file WHERE generation_id = ? AND role = 'image' ORDER BY position",
        arguments: [generation])
    }
  }

  private var database: String { "\(path)/atelier.sqlite" }

  private func read<Value>(_ work: (Database) throws -> Value) throws -> Value {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(10)
    return try DatabaseQueue(path: database, configuration: configuration).read(work)
  }

  // MARK: Rows

  private func databaseFindings(files: [String: Int], processes: Set<String>) throws -> [String] {
    try read { database in
      try damage(in: database) + unowned(in: database, processes) + artifacts(in: database, files)
        + unreferenced(in: database) + results(in: database)
    }
  }

  private func damage(in database: Database) throws -> [String] {
    let lines = try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
    let references = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check")
    return lines + references.map { "a row refers to nothing: \($0)" }
  }

  private func unowned(in database: Database, _ processes: Set<String>) throws -> [String] {
    try Row.fetchAll(database, sql: "SELECT id, process, state FROM generation WHERE state IN ('queued', 'running')")
      // What any process may begin is nobody's.
      .filter { !processes.contains($0["process"]) && !($0["process"] == "nobody" && $0["state"] == "queued") }
      .map { "\($0["id"] as String) is \($0["state"] as String) and its process is gone" }
  }

  private func artifacts(in database: Database, _ files: [String: Int]) throws -> [String] {
    let rows = try Row.fetchAll(database, sql: "SELECT name, bytes FROM artifact")
    let known = Dictionary(uniqueKeysWithValues: rows.map { ($0["name"] as String, $0["bytes"] as Int) })
    let missing = known.keys.filter { files[$0] == nil }.map { "the file of the row \($0) is missing" }
    let strange = files.keys.filter { known[$0] == nil }.map { "the file \($0) has no row" }
    let altered = known.filter { files[$0.key] != nil && files[$0.key] != $0.value }
      .map { "the file \($0.key) has another length than its row says" }
    return missing + strange + altered
  }

  private func unreferenced(in database: Database) throws -> [String] {
    try String.fetchAll(
      database,
      sql: """
        SELECT name FROM artifact
        WHERE name NOT IN (SELECT artifact FROM generation_file WHERE artifact IS NOT NULL)
          AND name NOT IN (SELECT artifact FROM prepared WHERE artifact IS NOT NULL)
        """
    ).map { "nothing refers to the row \($0)" }
  }

  private func results(in database: Database) throws -> [String] {
    var findings = try Row.fetchAll(
      database,
      sql: """
        SELECT id, state, is_private, places IS NOT NULL AS has_list, count(position) AS images, count(artifact) AS kept
        FROM generation LEFT JOIN generation_file ON generation_id = id AND role = 'image' GROUP BY id
        """
    ).compactMap { row -> String? in
      let (images, kept): (Int, Int) = (row["images"], row["kept"])
      let isDelivered = ["succeeded", "partial"].contains(row["state"] as String)
      if isDelivered == (images > 0 || row["has_list"]), kept == (row["is_private"] ? 0 : images) { return nil }
      return "\(row["id"] as String) is \(row["state"] as String) with \(images) images, \(kept) of them kept"
    }
    for row in try Row.fetchAll(
      database, sql: "SELECT output_path, bytes FROM generation_file WHERE output_path IS NOT NULL")
    {
      let file: String = row["output_path"]
      if Self.length(of: file) != row["bytes"] { findings.append("the copy \(file) is missing or has another length") }
    }
    return findings
  }

  // MARK: Files

  /// The names of all files among the artifacts, with their lengths.
  private func artifactFiles() throws -> [String: Int] {
    var files: [String: Int] = [:]
    let root = "\(path)/artifacts"
    for case let name as String in FileManager.default.enumerator(atPath: root) ?? .init() {
      guard let length = Self.length(of: "\(root)/\(name)") else { continue }
      files[String(name.split(separator: "/").last ?? "")] = length
    }
    return files
  }

  private func temporaryFiles() throws -> [String: [String]] {
    let root = "\(path)/temporary"
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    return Dictionary(
      uniqueKeysWithValues: processes.map { process in
        (process, (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(process)")) ?? [])
      })
  }

  /// The processes whose lock is held; a lock that can be taken belongs to a dead one.
  private func livingProcesses() throws -> (names: Set<String>, findings: [String]) {
    var names: Set<String> = []
    var findings: [String] = []
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/processes")) ?? [] {
      let descriptor = open("\(path)/processes/\(name)", O_RDWR | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 || !name.hasSuffix(".lock") {
        findings.append("the lock \(name) outlived its process")
      } else {
        names.insert(String(name.dropLast(".lock".count)))
      }
    }
    return (names, findings)
  }

  /// - Returns: nil unless it is a regular file.
  private static func length(of file: String) -> Int? {
    var status = stat()
    guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }
}
