import ArgumentParser
import AtelierProtocol
import Store

/// `atelier backup`: copies the database while the service keeps running.
struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the history and the ledger into a new file while other processes keep running.",
    discussion: """
      The file appears once it is complete; only you can read it. To restore it, copy it as atelier.sqlite into an empty
      data directory, beside a copy of the folder of pictures.

        atelier backup ~/atelier-$(date +%F).sqlite
      """)

  @Argument(help: "The file to create; an existing file is not replaced.", completion: .file())
  var file: String

  @Flag(help: "Print the result as JSON.")
  var json = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard !file.isEmpty else { throw ValidationError("Name the file to make.") }
  }

  func run() async throws {
    let report = try await EngineAssembly.withStore(common.settings) { store in
      let bytes = try await store.backup(to: file)
      return Report(path: DataDirectory(path: file).path, bytes: bytes, pictures: store.directory.artifacts)
    }
    if json { return try Console.printJSON(report) }
    print(report.path)
    Console.error("atelier: The pictures are not in it. Copy their folder as well: \(report.pictures)\n")
  }

  struct Report: Codable, Sendable {
    var path: String
    var bytes: Int
    /// The folder of pictures, which the backup does not contain.
    var pictures: String
  }
}
