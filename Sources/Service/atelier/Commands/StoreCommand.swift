import ArgumentParser
import AtelierProtocol
import Store

/// `atelier store`: where history and ledger are.
struct StoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store",
    abstract: "Prepare a database on a server, and move history and credits to it or back.",
    discussion: """
      History, credits and queue are in a file of the data directory, or in a PostgreSQL database that several machines
      share: the one that `store.url` of the configuration file names.

        atelier store prepare --url postgresql://atelier_owner@db.example/shop --role atelier
        atelier store copy --from ~/.local/share/atelier --to postgresql://atelier_owner@db.example/shop
      """,
    subcommands: [StorePrepareCommand.self, StoreCopyCommand.self])
}

/// `atelier store prepare`: makes the tables, and lets the role of the services work with them.
struct StorePrepareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prepare",
    abstract: "Make the tables of a database on a server, or bring them up to date, for the role of the services.",
    discussion: """
      The role in --url owns the tables. That of the services can read them and add to them, and never change what is written
      of credits. Run it before the first service starts, and after each update of Atelier. The password comes from
      ATELIER_STORE_PASSWORD, --password-file or the desktop's keyring.

        atelier store prepare --url postgresql://atelier_owner@db.example/shop --role atelier
      """)

  @Option(
    help: ArgumentHelp(
      "The database, with the role that owns its tables; `store.url` of the configuration without it.", valueName: "url"))
  var url: String?

  @Option(help: "The role that services work with; the one in `store.url` without it, if it is another.")
  var role: String?

  @OptionGroup var password: StorePasswordOption

  @Flag(help: "Print the result as JSON.")
  var json = false

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let report: PostgreSQLPreparation.Report
    do {
      let configured = try await StoreAddress.configured(common.settings)
      var server = configured
      if let url { server = try await StoreAddress.server(url, password, common.settings) }
      guard let server else {
        throw ValidationError("Name the database with --url, or in `store.url` of the configuration file.")
      }
      let services = configured?.address.user == server.address.user ? nil : configured?.address.user
      report = try PostgreSQLPreparation(server).run(for: role ?? services)
    } catch let error as ValidationError {
      throw error
    } catch {
      throw CommandFailure(error)
    }
    if json { try Console.printJSON(report) } else { print(report.database) }
    Console.tell(
      report.previousVersion == report.schemaVersion
        ? "The tables are of version \(report.schemaVersion) already."
        : "The tables are of version \(report.schemaVersion) now.")
    Console.tell(
      report.roles.isEmpty
        ? "Services that use the role of their owner could alter what is written of credits: name another with --role."
        : "Services may use \(report.roles.joined(separator: ", ")).")
  }
}
