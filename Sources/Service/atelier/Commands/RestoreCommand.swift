import ArgumentParser
import AtelierProtocol
import Store

/// `atelier restore FOLDER`: puts a backup in the place of what the data directory holds.
struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Put a backup in the place of what the data directory holds.",
    discussion: """
      End all services of the data directory first. Everything is copied and compared with its digests before anything is
      replaced; broken off, the data directory is either as it was or restored. The database that was there is kept
      beside the new one.

      Where `store.url` of the configuration names a database on a server, history and credits go there: it must be empty,
      and its role, or that of --url, own its tables.

        atelier restore ~/atelier-backup
        atelier restore ~/atelier-backup --data-dir ~/atelier-restored
      """)

  @OptionGroup var backup: BackupOptions

  @Flag(help: "Replace the file of API keys as well, if the backup has one.")
  var credentials = false

  @Flag(help: "Restore the rest where pictures of the backup are missing or damaged.")
  var skipDamaged = false

  @Option(
    help: ArgumentHelp(
      "The database on a server that history and credits go to, with the role that owns its tables; by default `store.url` "
        + "of the configuration.", valueName: "url"))
  var url: String?

  @OptionGroup var password: StorePasswordOption

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let report: Restoration.Report
    do {
      var server = try await StoreAddress.configured(common.settings)
      if let url { server = try await StoreAddress.server(url, password, common.settings) }
      let source = try await ConfigurationSource(common.settings)
      let bucket = try await source.locatingFaults { try $0.artifacts?.bucket() }
      let restoration = Restoration(
        of: backup.folder, into: try EngineAssembly.dataDirectory(common.settings),
        server: server, bucket: try await bucket?.pictures(),
        surroundings: EngineAssembly.storeSurroundings(StandardErrorLog.logger(common.settings)))
      report = try await restoration.run(includingCredentials: credentials, skippingDamaged: skipDamaged)
    } catch {
      throw CommandFailure(error)
    }
    if backup.json { try Console.printJSON(report) } else { print(report.path) }
    for sentence in sentences(about: report) { Console.tell(sentence) }
  }

  private func sentences(about report: Restoration.Report) -> [String] {
    var all = [
      "Restored as of \(report.madeAt.localText): \(report.pictures) pictures, \(report.copied) of them from the backup.",
      "Credits granted, spent, bought and taken back since then are not in it. Grant and revoke again with the same keys as "
        + "before, which changes nothing twice, and let apps send their purchases and refunds again.",
    ]
    if !report.lost.isEmpty { all.append("\(report.lost.count) pictures are lost; `atelier doctor` names them.") }
    if !report.mended.isEmpty {
      all.append(
        "The database of the backup was not as Atelier makes it; this was left out or made anew: "
          + "\(report.mended.joined(separator: ", ")). Find out who has changed it.")
    }
    if let server = report.server { all.append("History and credits are in \(server).") }
    if let replaced = report.replaced {
      all.append("The database that was there is kept as \(replaced.onOneLine); remove it once nothing in it is needed.")
    }
    if report.hasCredentials, !report.restoredCredentials {
      all.append("The backup has API keys: --credentials restores them.")
    }
    return all + ["Check it with `atelier doctor` before you start services."]
  }
}
