import AtelierProtocol
import Glibc
import POSIX

extension Store {
  /// The schema version.
  public static var schemaVersion: Int { Schema.version }

  /// The data for `status`. Never fails: a store that cannot be read or written is reported as not healthy.
  public func status() async -> StoreStatus {
    let found = try? await read { [self] session in
      (counts: try session.generationSums.countByState(), doubt: ClockDoubt(try clock(in: session)))
    }
    return StoreStatus(
      path: directory.path, schemaVersion: Schema.version, problem: await problem(isReadable: found != nil),
      countByState: found?.counts ?? [:], clockDoubt: found?.doubt, unfinishedDeletions: await unfinishedRemovals() ?? 0)
  }

  private func problem(isReadable: Bool) async -> String? {
    if let fault = await currentFault() { return fault.reason.atelierError.forOperators }
    if !isReadable { return AtelierError(.storageUnavailable).forOperators }
    return ledgerMonitor.isSound ? nil : AtelierError.ledgerDamaged.forOperators
  }

  /// Checks the database, the references between rows, the ledger, every artifact against its digest and its row, and
  /// the permissions. Reads all files, so it takes a while; changes nothing.
  /// - Throws: `CancellationError` when the task is cancelled, `AtelierError` when the directory cannot be read.
  public func check() async throws -> IntegrityReport {
    var report = IntegrityReport(findings: [], artifactsChecked: 0)
    // As much as a picture has had: what takes a few bytes may not take more.
    let largest = (try? await read { try $0.artifacts.largestBytes() }) ?? 0
    if let fault = await currentFault(isThorough: true, bytes: largest) {
      report.findings.append(IntegrityReport.Finding(kind: .unwritable, sentence: fault.reason.sentence))
    }
    report.findings += try await file { [directory] in try directory.wideParts() + directory.closedFolders() }
    guard let artifacts = await artifactsInSoundDatabase(into: &report) else { return report }
    report.findings += await ledgerFindings()
    if let left = await unfinishedRemovals(), left > 0 {
      report.findings.append(
        IntegrityReport.Finding(
          kind: .unfinishedDeletion,
          sentence: "\(left) pictures that were deleted or not needed are still in the bucket, which could not be "
            + "reached. A service that runs removes them as soon as it answers."))
    }
    var missing: [IntegrityReport.Finding] = []
    for artifact in artifacts {
      try Task.checkCancellation()
      let finding = try await inspect(artifact)
      report.artifactsChecked += 1
      guard let finding else { continue }
      if finding.kind == .missingFile { missing.append(finding) } else { report.findings.append(finding) }
    }
    report.findings += isInOneOfSeveralPlaces ? perhapsElsewhere(missing) : missing
    let forgotten = try await read { try $0.artifacts.unreferenced() }
    let unknown = try await unreferencedFiles()
    if let lost = try await lostRecords(of: unknown, known: artifacts.count) {
      report.findings.append(lost)
    } else {
      report.findings += (unknown + forgotten).map { name in
        IntegrityReport.Finding(
          kind: .unreferencedFile,
          sentence: "\(localFiles.place(of: name)) belongs to nothing in history. It may be removed.")
      }
    }
    return report
  }

  /// Whether other machines may share the records, and keep pictures that are not here.
  private var isInOneOfSeveralPlaces: Bool { isOnServer && localFiles.cache == nil }

  private func perhapsElsewhere(_ missing: [IntegrityReport.Finding]) -> [IntegrityReport.Finding] {
    guard let first = missing.first else { return [] }
    return [
      IntegrityReport.Finding(
        kind: .missingFile,
        sentence: "\(missing.count) pictures of the database on the server are not in \(localFiles.folder). Where other "
          + "machines use this database, each with a data directory of its own, they may be there: keep the pictures in a "
          + "bucket that all of them share (docs/scaling.md). Where none does: \(first.sentence)")
    ]
  }

  /// Files without a row are left by a process that died or could not finish, and then its lock is there as well. A backup
  /// of a service at work may have some, of pictures made after its database was copied. Where most are unknown, the
  /// database is older than the pictures beside it.
  /// - Parameter known: how many pictures have a row.
  private func lostRecords(of files: [String], known: Int) async throws -> IntegrityReport.Finding? {
    guard files.count > known, !leftFiles.load(ordering: .relaxed) else { return nil }
    let hasOthers = try await file { [directory, process] in
      let mine = directory.lock(of: process)
      return try FileSystem.names(in: directory.processes).contains { "\(directory.processes)/\($0)" != mine }
    }
    if hasOthers { return nil }
    if isOnServer {
      return IntegrityReport.Finding(
        kind: .lostRecords,
        sentence: "\(files.count) of the pictures in \(localFiles.folder) are unknown to the database on the server. "
          + (directory.hasDatabase
            ? "They may belong to \(directory.database): copy it first, with `atelier store copy`, or name another data "
              + "directory."
            : "Before they are removed as belonging to nothing, make sure that the data directory is that of this "
              + "database."))
    }
    return IntegrityReport.Finding(
      kind: .lostRecords,
      sentence: "\(files.count) of the pictures in \(localFiles.folder) are unknown to the database: it is older than "
        + "they are, as a copy of atelier.sqlite without the log beside it is. Before they are removed as belonging to "
        + "nothing, stop Atelier and put a whole copy in its place, as `atelier backup` makes it.")
  }

  /// What an operator should know about the server that keeps the database; nothing where there is none.
  /// - Throws: `AtelierError` when the server cannot be asked.
  public func serverFindings() async throws(AtelierError) -> [IntegrityReport.Finding] {
    do {
      return try await engine.examine()
    } catch {
      throw atelierError(error)
    }
  }

  /// - Returns: all artifacts; nil when the database is too damaged to list them.
  private func artifactsInSoundDatabase(into report: inout IntegrityReport) async -> [StoredArtifact]? {
    do {
      let (findings, artifacts) = try await read { [self] session in
        (try damage(in: session), try session.artifacts.all(in: localFiles))
      }
      report.findings += findings
      return artifacts
    } catch {
      report.findings.append(unreadable)
      return nil
    }
  }

  private var unreadable: IntegrityReport.Finding {
    IntegrityReport.Finding(
      kind: .damagedDatabase,
      sentence: "\(isOnServer ? "The database on the server" : directory.database) cannot be read. \(rescue)")
  }

  /// Advice for a damaged database.
  private var rescue: String {
    if isOnServer { return "Stop the services and put a backup in its place: see docs/operating.md." }
    return directory.adviceForCopies
      + "Keep a copy of the directory, then put a backup in its place, or save what can be read with: "
      + "sqlite3 '\(directory.database)' .recover"
  }

  private func ledgerFindings() async -> [IntegrityReport.Finding] {
    do {
      let findings = try await ledgerMonitor.audit()
      let shown = findings.prefix(Self.mostLedgerFindings).map { finding in
        IntegrityReport.Finding(
          kind: .brokenLedger, sentence: "The ledger of credits is damaged: \(finding) \(rescue)")
      }
      let rest = findings.count - shown.count
      if rest == 0 { return shown }
      return shown + [
        IntegrityReport.Finding(
          kind: .brokenLedger,
          sentence: "There are \(rest) more findings in the ledger of credits. See them with: atelier credits audit")
      ]
    } catch {
      return [unreadable]
    }
  }

  /// The maximum number of findings reported one by one.
  private static var mostLedgerFindings: Int { 20 }

  private func damage(in session: any SQLSession) throws -> [IntegrityReport.Finding] {
    let damage = try engine.damage(in: session).map { line in
      IntegrityReport.Finding(
        kind: .damagedDatabase, sentence: "The database is damaged: \(line.replacing("\n", with: " ")). \(rescue)")
    }
    let references = try engine.brokenReferences(in: session).map { reference in
      IntegrityReport.Finding(
        kind: .brokenReference,
        sentence: "A row of \(reference.table) refers to a row of \(reference.parent) that is not there. Put a backup in "
          + "its place.")
    }
    return damage + references
  }

  private func inspect(_ artifact: StoredArtifact) async throws(AtelierError) -> IntegrityReport.Finding? {
    do {
      _ = try await fetch(artifact)
      return nil
    } catch {
      // A bucket that is away says nothing of what is in it.
      if localFiles.cache != nil, error.kind.consequences.isOfTheStore { throw error }
      // An artifact deleted since the rows were read is not missing.
      let isKnown = try await read { [self] in try self.artifact(artifact.name, in: $0) != nil }
      guard isKnown else { return nil }
      let place = localFiles.place(of: artifact.name)
      return switch error.kind {
      case .notFound:
        IntegrityReport.Finding(
          kind: .missingFile,
          sentence: "\(place) is gone. Put it back from a backup, or delete its generation from history.")
      default:
        IntegrityReport.Finding(
          kind: .alteredFile,
          sentence: "\(place) cannot be read or is not what was stored. Put it back from a backup, or delete "
            + "its generation from history.")
      }
    }
  }
}

extension DataDirectory {
  /// How many folders are named one by one.
  private static let mostFolders = 3

  /// The folders of pictures that their user may not write into. Only a few have a trial.
  fileprivate func closedFolders() throws -> [IntegrityReport.Finding] {
    let first = try FileSystem.names(in: artifacts).filter { $0.utf8.count == 2 }.sorted().map { "\(artifacts)/\($0)" }
    let second = try first.flatMap { folder in try FileSystem.names(in: folder).sorted().map { "\(folder)/\($0)" } }
    let closed = try (first + second).compactMap { folder -> StoreError? in
      guard let kind = try FileStatus(path: folder), kind.isDirectory else { return nil }
      let isOpen = kind.owner == geteuid() && kind.permissions & 0o300 == 0o300
      return isOpen ? nil : unusable(FileFailure(operation: "write to", path: folder, code: EACCES))
    }
    let rest = closed.count - Self.mostFolders
    return closed.prefix(Self.mostFolders).enumerated().map { number, error in
      let more = number == Self.mostFolders - 1 && rest > 0 ? " So are \(rest) more folders." : ""
      return IntegrityReport.Finding(kind: .unwritable, sentence: error.sentence + more)
    }
  }

  /// All files and directories of the store that other users may use.
  fileprivate func wideParts() throws -> [IntegrityReport.Finding] {
    let artifactFiles = try artifactFiles().map { path(ofArtifact: $0) }
    return try ([path] + parts + databaseFiles + artifactFiles).compactMap { part in
      guard let kind = try FileStatus(path: part, followingLinks: part == path), kind.isShared else { return nil }
      return IntegrityReport.Finding(
        kind: .widePermissions,
        sentence: "\(part) is open to other users. Close it with: chmod go-rwx '\(part)'")
    }
  }
}

/// What `doctor` finds in the data directory.
public struct IntegrityReport: Sendable, Equatable {
  /// One problem.
  public struct Finding: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
      /// SQLite's own check found damage.
      case damagedDatabase
      /// A row refers to a missing row.
      case brokenReference
      /// The ledger was altered, or contradicts itself.
      case brokenLedger
      /// A row names a missing file.
      case missingFile
      /// A file's bytes do not match its name.
      case alteredFile
      /// Most pictures have no rows, and no process that died can have left them so: the database is an incomplete copy.
      case lostRecords
      /// Nothing can be written.
      case unwritable
      /// Deleted pictures are still in the bucket.
      case unfinishedDeletion
      /// No row refers to a file. Harmless; recovery removes it.
      case unreferencedFile
      /// Another user may read or write a file or directory.
      case widePermissions
      /// The server that keeps the database may break or lose what is in it.
      case weakServer
      /// The server could be set up better. Nothing is wrong with what it keeps.
      case serverAdvice
    }

    public var kind: Kind
    /// Whether what is stored is whole and stays so.
    public var isHarmless: Bool { [.unreferencedFile, .serverAdvice, .unfinishedDeletion].contains(kind) }
    /// One sentence that names the problem and says what to do.
    public var sentence: String
  }

  public var findings: [Finding]
  /// How many artifacts were read and compared with their names.
  public var artifactsChecked: Int
  public var isSound: Bool { findings.allSatisfy(\.isHarmless) }
}

/// What `status` reports about the store.
public struct StoreStatus: Sendable, Equatable {
  /// The data directory.
  public var path: String
  public var schemaVersion: Int
  /// Why nothing can be recorded, or what the last audit of the ledger found, without local paths; nil when all is well.
  public var problem: String?
  public var isHealthy: Bool { problem == nil }
  /// How many generations are in each state, over all accounts and processes.
  public var countByState: [GenerationState: Int]
  /// Why the system clock is not trusted; nil when it is.
  public var clockDoubt: ClockDoubt?
  /// How many pictures are still in the bucket although they were deleted or not needed, because it was away.
  public var unfinishedDeletions = 0
}
