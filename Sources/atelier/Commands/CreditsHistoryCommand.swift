import ArgumentParser
import AtelierProtocol

/// `atelier credits history`: what became of an account's credits, newest first.
struct CreditsHistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List what became of an account's credits, newest first.",
    discussion: """
        atelier credits history --account anna --limit 5
        atelier credits history --account anna --json | jq .totalUsed
      """)

  @Option(help: "Whose.")
  var account: String

  @Option(help: "How many entries, 1 to 100.")
  var limit: Int = 20

  @Option(help: "Go on after this cursor, the nextCursor of the page before.")
  var cursor: String?

  @Flag(help: "Print the page as JSON, as the protocol answers it.")
  var json = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    _ = try OperatorInput.meteredAccount(account)
    guard (1...100).contains(limit) else { throw ValidationError("--limit must be from 1 to 100.") }
  }

  func run() async throws {
    let id = try OperatorInput.meteredAccount(account)
    let page = try await EngineAssembly.withStore(common.settings) { store in
      try await store.creditHistory(of: id, limit: limit, cursor: cursor)
    }
    if json { return try Console.printJSON(page) }
    for entry in page.entries { print(entry.line) }
    print("\(page.totalUsed.credits) used in all.")
    if let next = page.nextCursor { print("More: atelier credits history --account '\(account)' --cursor \(next)") }
  }
}

extension CreditsHistory.Entry {
  fileprivate var line: String {
    let change = amount > 0 ? "+\(amount)" : "\(amount)"
    let rest = balanceAfter.map { "  leaves \($0)" } ?? ""
    let about = [bucket?.rawValue, recipe?.rawValue, prompt, reason].compactMap { $0 }.joined(separator: "  ")
    return "\(date.text)  \(change)  \(kind.rawValue)\(rest)  \(about)"
  }
}
