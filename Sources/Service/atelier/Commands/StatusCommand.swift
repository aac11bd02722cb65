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
        atelier status gen_01k9w3ssq0m8v6c1xj5t2h4n7b --json | jq -r .state
      """)

  @Argument(help: "The generation, as `atelier history` shows it.")
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
      let answer = try await engine.status(request, for: Caller())
      if json { return try Console.printJSON(answer) }
      switch answer {
      case .generation(let generation): for line in generation.lines { print(line) }
      case .service(let status):
        for line in Self.lines(status) { print(line) }
        for state in [GenerationState.running, .queued] {
          let page = try await engine.history(History(account: .everybody, limit: 100, state: state), for: Caller())
          for line in page.entries.flatMap(\.lines) { print(line) }
        }
      }
    }
  }

  private static func lines(_ status: ServiceStatus) -> [String] {
    let store = status.store
    let sound = store.healthy ? "in order" : "not in order; `atelier doctor` says why"
    return ["Atelier \(status.version)", "Data directory: \((store.path ?? "").homeRelative), \(sound)."]
      + [store.clockDoubt?.message].compactMap { $0 }
      + status.providers.map { "Provider \($0.id.rawValue): \($0.available ? "ready." : $0.reason ?? "not available.")" }
  }
}

/// `atelier cancel GENERATION…`: ends generations, of any process.
struct CancelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel",
    abstract: "Cancel generations, in whichever process they run.",
    discussion: """
      Held credits are given back. Repeating it changes nothing; what has ended in another way is left as it is, and the
      command ends with 1.

        atelier cancel gen_01k9w3ssq0m8v6c1xj5t2h4n7b
      """)

  @Argument(help: "The generations, as `atelier status` shows them.")
  var generations: [String]

  @Option(help: "The account that they must belong to; by default any.")
  var account: String?

  @Flag(help: "Print each generation as JSON, in the form of the protocol, one in each line.")
  var json = false

  @OptionGroup var common: CommonOptions

  private var requests: [Cancel] {
    generations.map {
      Cancel(target: .id(GenerationID(rawValue: $0)), account: account.map { AccountID(rawValue: $0) })
    }
  }

  func validate() throws {
    for request in requests { _ = try request.checked() }
  }

  func run() async throws {
    try await EngineAssembly.withEngine(common.settings) { engine in
      try await EachInTurn(requests, named: generations).run { request in
        let generation = try await engine.generations.cancel(request, for: Caller())
        if json { return try Console.printJSON(generation) }
        for line in generation.lines { print(line) }
      }
    }
  }
}

/// Carries out requests one after another, and goes on after a failure.
struct EachInTurn<Request> {
  private let requests: [(name: String, request: Request)]

  init(_ requests: [Request], named names: [String]) {
    self.requests = Array(zip(names, requests))
  }

  /// - Throws: the failure of a single request; of several, how many failed, after the sentence of each.
  func run(_ work: (Request) async throws -> Void) async throws {
    var failed = 0
    for (name, request) in requests {
      do {
        try await work(request)
      } catch {
        if requests.count == 1 { throw error }
        Console.error("atelier: \(name.onOneLine): \(CommandFailure(error).sentence)\n")
        failed += 1
      }
    }
    if failed > 0 { throw CommandFailure(sentence: "\(failed) of \(requests.count) failed.") }
  }
}
