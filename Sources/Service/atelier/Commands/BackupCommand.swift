import ArgumentParser
import AtelierProtocol
import Store

/// `atelier backup FOLDER`: copies what the data directory holds while the service keeps running.
struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy history, credits, pictures and templates into a folder while other processes keep running.",
    discussion: """
      The next backup into the same folder copies only what is new, compares the rest with its digests, and removes what
      was deleted from history. Broken off, it leaves the earlier backup as it was; repeat it, and it goes on. Only you
      can read the folder. Put it back with `atelier restore`.

        atelier backup ~/atelier-backup
      """)

  @OptionGroup var backup: BackupOptions

  @Flag(help: "Copy the file of API keys as well.")
  var credentials = false

  @OptionGroup var common: CommonOptions

  func run() async throws {
    // Opening the data directory would make one.
    let directory = try EngineAssembly.dataDirectory(common.settings)
    guard directory.hasDatabase else {
      throw CommandFailure(
        sentence: "\(directory.path) holds nothing to back up. Name the data directory with --data-dir or ATELIER_DATA_DIR.",
        status: CommandFailure.dataDirectoryUnusable)
    }
    let report = try await EngineAssembly.withStore(common.settings) { store in
      try await store.backup(into: backup.folder, includingCredentials: credentials)
    }
    if backup.json { try Console.printJSON(report) } else { print(report.path) }
    tell(report)
    guard report.lost.isEmpty else {
      throw CommandFailure(
        sentence: "\(report.lost.count) pictures are missing or damaged in the data directory and are not in the backup; "
          + "the rest is. `atelier doctor` says what to do.")
    }
  }

  private func tell(_ report: BackupReport) {
    for path in report.lost.prefix(20) { Console.error("atelier: \(path.onOneLine) is not in the backup.\n") }
    let keys =
      report.hasCredentials ? " The API keys are in it: keep it safe." : credentials ? " There is no file of API keys." : ""
    Console.error(
      "atelier: \(Megabytes(report.databaseBytes)) of history and \(report.pictures) pictures, "
        + "\(report.copied) of them new.\(keys)\n")
  }
}

/// `atelier restore FOLDER`: puts a backup in the place of what the data directory holds.
struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Put a backup in the place of what the data directory holds.",
    discussion: """
      End all services of the data directory first. Everything is copied and compared with its digests before anything is
      replaced; broken off, the data directory is either as it was or restored. The database that was there is kept
      beside the new one.

        atelier restore ~/atelier-backup
        atelier restore ~/atelier-backup --data-dir ~/atelier-restored
      """)

  @OptionGroup var backup: BackupOptions

  @Flag(help: "Replace the file of API keys as well, if the backup has one.")
  var credentials = false

  @Flag(help: "Restore the rest where pictures of the backup are missing or damaged.")
  var skipDamaged = false

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let report: Restoration.Report
    do {
      let restoration = Restoration(
        of: backup.folder, into: try EngineAssembly.dataDirectory(common.settings),
        surroundings: EngineAssembly.storeSurroundings(StandardErrorLog.logger(common.settings)))
      report = try await restoration.run(includingCredentials: credentials, skippingDamaged: skipDamaged)
    } catch {
      throw CommandFailure(error)
    }
    if backup.json { try Console.printJSON(report) } else { print(report.path) }
    for sentence in sentences(about: report) { Console.error("atelier: \(sentence)\n") }
  }

  private func sentences(about report: Restoration.Report) -> [String] {
    var all = [
      "Restored as of \(report.madeAt.localText): \(report.pictures) pictures, \(report.copied) of them from the backup.",
      "Credits granted, spent, bought and taken back since then are not in it. Grant and revoke again with the same keys as "
        + "before, which changes nothing twice, and let apps send their purchases and refunds again.",
    ]
    if !report.lost.isEmpty { all.append("\(report.lost.count) pictures are lost; `atelier doctor` names them.") }
    if let replaced = report.replaced {
      all.append("The database that was there is kept as \(replaced.onOneLine); remove it once nothing in it is needed.")
    }
    if report.hasCredentials, !report.restoredCredentials {
      all.append("The backup has API keys: --credentials restores them.")
    }
    return all + ["Check it with `atelier doctor` before you start services."]
  }
}

/// What both commands ask for.
struct BackupOptions: ParsableArguments {
  @Argument(
    help: "The folder of the backup. To make one: a new or empty folder, or one that holds an earlier backup.",
    completion: .directory)
  var folder: String

  @Flag(help: "Print the result as JSON.")
  var json = false

  func validate() throws {
    guard !folder.isEmpty else { throw ValidationError("Name the folder of the backup.") }
  }
}
