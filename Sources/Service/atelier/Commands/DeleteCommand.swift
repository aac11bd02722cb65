import ArgumentParser
import AtelierProtocol
import Engine

/// `atelier delete`: removes generations with their pictures.
struct DeleteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete generations and their pictures for ever.",
    discussion: """
      What still runs is cancelled first. Copies that were written elsewhere stay, and so does the history of credits.
      --all deletes everything of one account, which must be named; this machine's own account is owner. At a terminal, it
      asks first; --yes answers beforehand.

        atelier delete last
        atelier delete gen_01k9w3ssq0m8v6c1xj5t2h4n7b
        atelier delete --all --account anna
      """)

  @Argument(
    help: "The generations, as `atelier history` shows them; last is the newest.", completion: .generations)
  var generations: [String] = []

  @Flag(help: "Delete every generation of the account.")
  var all = false

  @Option(help: "The account that they must belong to; by default any.")
  var account: String?

  @Flag(name: [.short, .long], help: "Do not ask before --all.")
  var yes = false

  @Flag(help: "Print each answer as JSON, in the form of the protocol, one in each line.")
  var json = false

  @OptionGroup var common: CommonOptions

  private var requests: [HistoryDelete] {
    let account = account.map { AccountID(rawValue: $0) }
    if all, let account { return [HistoryDelete(target: .everything(of: account))] }
    return generations.map { HistoryDelete(target: .generation(GenerationID(rawValue: $0), account: account)) }
  }

  func validate() throws {
    guard all != !generations.isEmpty else { throw ValidationError("Name generations, or --all with --account.") }
    guard !all || account != nil else {
      throw ValidationError("--all deletes everything of an account: name it with --account.")
    }
    for request in requests { _ = try request.checked() }
  }

  func run() async throws {
    try await EngineAssembly.withEngine(common.settings) { engine in
      if all, let account { try await confirm(account, engine) }
      try await EachInTurn(requests, named: all ? ["--all"] : generations).run { request in
        var request = request
        if case .generation(let name, let account) = request.target {
          let account = await engine.presentAccount(of: account)
          request.target = .generation(try await engine.generation(named: name.rawValue, of: account), account: account)
        }
        let answer = try await engine.deleteHistory(request, for: Caller())
        if json { return try Console.printJSON(answer) }
        print("\(answer.deleted) deleted, \(Megabytes(answer.bytesFreed)) freed.")
        for id in answer.stillRunning ?? [] { print("Still running: \(id.rawValue)") }
      }
    }
  }

  private func confirm(_ account: String, _ engine: Engine) async throws {
    let page = try await engine.history(History(account: AccountID(rawValue: account), limit: 1), for: Caller())
    let count = page.totals.generations
    guard count > 0 else { return }
    let what = count == 1 ? "the only generation" : "all \(count) generations"
    try await Confirmation.ask("Delete \(what) of \(account) with their pictures for ever?", yes: yes)
  }
}

extension HistoryExport.Format: ExpressibleByArgument {}
