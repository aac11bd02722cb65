import ArgumentParser
import AtelierProtocol
import Engine

/// `atelier status`: what a generation, or the installation, is doing.
struct StatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show a generation, or what waits and runs in the data directory.",
    discussion: """
      With a generation, of any process: its state and its pictures. Without one: the data directory, the providers, and
      the generations that have not ended, of all accounts.

        atelier status
        atelier status last
        atelier status gen_01k9w3ssq0m8v6c1xj5t2h4n7b --json | jq -r .state
      """)

  @Argument(help: "The generation, as `atelier history` shows it; last is the newest.", completion: .generations)
  var generation: String?

  @Option(help: "The account that the generation must belong to; by default any.")
  var account: String?

  @Flag(help: "Print the answer as JSON, in the form of the protocol.")
  var json = false

  @OptionGroup var common: CommonOptions

  private var request: Status {
    Status(
      target: generation.map { .id(GenerationID(rawValue: $0)) }, account: account.map { AccountID(rawValue: $0) })
  }

  func validate() throws {
    guard generation != nil || account == nil else {
      throw ValidationError("--account belongs to a generation: name one.")
    }
    _ = try request.checked()
  }

  func run() async throws {
    try await EngineAssembly.withEngine(common.settings) { engine in
      var request = request
      request.account = await engine.presentAccount(of: request.account)
      if let generation {
        request.target = .id(try await engine.generation(named: generation, of: request.account))
      }
      let answer = try await engine.status(request, for: Caller())
      if json { return try Console.printJSON(answer) }
      switch answer {
      case .generation(let generation): Console.printEntry(generation.lines)
      case .service(let status):
        for line in Self.lines(status) { print(line) }
        for state in [GenerationState.running, .queued] {
          let page = try await engine.history(History(account: .everybody, limit: 100, state: state), for: Caller())
          for entry in page.entries { Console.printEntry(entry.lines) }
        }
      }
    }
  }

  private static func lines(_ status: ServiceStatus) -> [String] {
    let store = status.store
    let sound = store.healthy ? "in order" : "not in order; `atelier doctor` says why"
    return ["Atelier \(status.version)", "Data directory: \((store.path ?? "").homeRelative), \(sound)."]
      + [store.clockDoubt?.message].compactMap { $0 }.map(CommandWords.sentence)
      + status.providers.map { provider in
        let reasons = [provider.reason?.text, provider.hint].compactMap(\.self)
        let reason = reasons.isEmpty ? "not available." : reasons.joined(separator: " ")
        return "Provider \(provider.id.rawValue): \(provider.available ? "ready." : reason)"
      }
  }
}
