import ArgumentParser
import AtelierProtocol
import Engine
import JSON

/// `atelier history`: lists generations, newest first.
struct HistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List what was made, newest first.",
    discussion: """
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
    guard (1...100).contains(limit) else { throw ValidationError("--limit must be from 1 to 100.") }
  }

  func run() async throws {
    do {
      let page = try await EngineAssembly(common.settings).withEngine { engine in
        try await engine.history(
          History(account: account.map { AccountID(rawValue: $0) }, limit: limit, cursor: cursor, search: search),
          for: Caller())
      }
      try show(page)
    } catch let failure as JSONDecodingFailure {
      throw CommandFailure(sentence: failure.message)
    } catch {
      throw CommandFailure(error)
    }
  }

  private func show(_ page: History.Result) throws {
    if json {
      try Console.printJSON(page)
      return
    }
    if page.entries.isEmpty { print("Nothing was made yet. Try: atelier generate photo.jpg") }
    for entry in page.entries {
      let what = entry.style.map(\.name) ?? entry.prompt ?? ""
      let where_ = entry.images.first?.path ?? entry.error?.message ?? ""
      print("\(entry.createdAt.text)  \(entry.state.rawValue)  \(entry.recipe.rawValue) \(what)  \(where_)")
    }
    if let next = page.nextCursor { print("More: atelier history --cursor \(next)") }
  }
}
