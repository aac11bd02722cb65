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
    let isOnServer = try await ConfigurationSource(common.settings).file.store != nil
    guard isOnServer || directory.hasDatabase else {
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
    for path in report.lost.prefix(20) { Console.tell("\(path.onOneLine) is not in the backup.") }
    let keys =
      report.hasCredentials ? " The API keys are in it: keep it safe." : credentials ? " There is no file of API keys." : ""
    Console.error(
      "atelier: \(Megabytes(report.databaseBytes)) of history and \(report.pictures) pictures, "
        + "\(report.copied) of them new.\(keys)\n")
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
