import ArgumentParser
import AtelierProtocol
import Engine

/// `atelier history`: lists generations, newest first.
struct HistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List what was made, newest first.",
    discussion: """
      Each entry has its time in this machine's time zone, its id, its state, what it is and the photo it was made from,
      and then its pictures: the files that a command wrote, if they are still there, otherwise those that are kept. `~`
      is your home directory.

        atelier history --limit 5
        atelier history --since 2d --recipe headshot
        atelier history --since 2026-11-01 --state failed
        atelier history --search anna
        atelier history --json | jq -r '.entries[].images[].path'
      """)

  @Option(help: "The number of entries, 1 to 100.")
  var limit: Int = 20

  @Option(help: "Continue after this cursor, the nextCursor of the previous page.")
  var cursor: String?

  @Option(help: "The account; * means all accounts.")
  var account: String?

  @Option(
    help: ArgumentHelp(
      "Only entries since then: a day or time, such as 2026-11-21 or 2026-11-21T17:26, or how long ago: 30m, 2h, 3d, 2w.",
      valueName: "time"))
  var since: PastTime?

  @Option(help: "Only entries of this recipe: \(Recipe.allCases.map(\.rawValue).joined(separator: ", ")).")
  var recipe: Recipe?

  @Option(help: "Only entries in this state: \(GenerationState.allCases.map(\.rawValue).joined(separator: ", ")).")
  var state: GenerationState?

  @Option(help: "Only entries with these words in the prompt, the answer, or the name of the photo or the picture.")
  var search: String?

  @Flag(help: "Print the page as JSON, in the form of the protocol.")
  var json = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    _ = try request.checked()
  }

  private var request: History {
    History(
      account: account.map { AccountID(rawValue: $0) }, limit: limit, cursor: cursor, recipe: recipe, state: state,
      since: since?.timestamp(at: EngineAssembly.now()), search: search)
  }

  private var isFiltered: Bool { since != nil || recipe != nil || state != nil || search != nil || cursor != nil }

  func run() async throws {
    try await EngineAssembly.withEngine(common.settings) { engine in
      var request = request
      request.account = await engine.presentAccount(of: request.account)
      let page = try await engine.history(request, for: Caller())
      if json { return try Console.printJSON(page) }
      // A page of a long search may be empty and still have a next one.
      if page.entries.isEmpty, page.nextCursor == nil {
        let all = isFiltered ? try await engine.history(History(account: request.account, limit: 1), for: Caller()) : page
        print(
          all.entries.isEmpty ? "Nothing was made yet. Try: atelier generate photo.jpg" : "No entry matches.")
      }
      for entry in page.entries { Console.printEntry(entry.lines) }
      if let next = page.nextCursor { print("More: the same command with --cursor \(next)") }
    }
  }
}

extension Recipe: ExpressibleByArgument {}
extension GenerationState: ExpressibleByArgument {}
