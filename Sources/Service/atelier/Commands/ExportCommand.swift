import ArgumentParser
import AtelierProtocol
import Engine

/// `atelier export FOLDER`: writes history and pictures into a folder.
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write an account's history and its pictures into a folder.",
    discussion: """
      The records are a file with one generation in each line, in the form of the protocol. Its path is printed. An
      earlier export in the folder is replaced; other files stay as they are.

        atelier export backup
        atelier export backup --account '*'
        atelier export maps --format geojson
      """)

  @Argument(help: "The folder, which must exist.", completion: .directory)
  var folder: String

  @Option(help: "The account; * means all accounts. (default: owner)")
  var account: String?

  @Option(help: "The format: jsonl, or geojson or csv for the places alone.")
  var format: HistoryExport.Format = .jsonl

  @Flag(help: "Print the answer as JSON, in the form of the protocol.")
  var json = false

  @OptionGroup var common: CommonOptions

  private var request: HistoryExport {
    HistoryExport(directory: folder, account: account.map { AccountID(rawValue: $0) }, format: format)
  }

  func validate() throws { _ = try request.checked() }

  func run() async throws {
    let answer = try await EngineAssembly.withEngine(common.settings) { engine in
      var request = request
      request.account = await engine.presentAccount(of: request.account)
      return try await engine.exportHistory(request, for: Caller())
    }
    if json { return try Console.printJSON(answer) }
    print(answer.path)
    if let path = answer.accountPath { print(path) }
    Console.tell(
      format == .jsonl
        ? "\(answer.entries) generations and \(answer.files) files were written." : "\(answer.entries) places were written.")
  }
}
