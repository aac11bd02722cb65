import ArgumentParser
import AtelierProtocol
import Store

/// `atelier backup`: copies the database while the service keeps running.
struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy history and ledger into a new file, while other processes go on.",
    discussion: """
      The file is there when it is whole, and only you can read it. To restore it, put it as atelier.sqlite into an empty
      data directory, with a copy of the folder of pictures beside it.

        atelier backup ~/atelier-$(date +%F).sqlite
      """)

  @Argument(help: "The file to make; one that is there is not replaced.", completion: .file())
  var file: String

  @Flag(help: "Print what was made as JSON.")
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
