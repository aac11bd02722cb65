import ArgumentParser
import AtelierProtocol
import Engine

/// `atelier history`: lists generations, newest first.
struct HistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List what was made, newest first.",
    discussion: """
      Each entry has its time, its id, its state and what it is, and then its pictures. `~` is your home directory.

        atelier history --limit 5
        atelier history --json | jq -r '.entries[].images[].path'
      """)

  @Option(help: "The number of entries, 1 to 100.")
  var limit: Int = 20

  @Option(help: "Continue after this cursor, the nextCursor of the previous page.")
  var cursor: String?

  @Option(help: "The account; * means all accounts.")
  var account: String?

  @Option(help: "Only entries with these words in the prompt.")
  var search: String?

  @Flag(help: "Print the page as JSON, in the form of the protocol.")
  var json = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    _ = try request.checked()
  }

  private var request: History {
    History(account: account.map { AccountID(rawValue: $0) }, limit: limit, cursor: cursor, search: search)
  }

  func run() async throws {
    let page = try await EngineAssembly.withEngine(common.settings) { try await $0.history(request, for: Caller()) }
    if json { return try Console.printJSON(page) }
    if page.entries.isEmpty { print("Nothing was made yet. Try: atelier generate photo.jpg") }
    for line in page.entries.flatMap(\.lines) { print(line) }
    if let next = page.nextCursor { print("More: atelier history --cursor \(next)") }
  }
}
