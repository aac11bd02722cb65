import ArgumentParser
import AtelierProtocol
import Engine

/// `atelier cancel GENERATION…`: ends generations, of any process.
struct CancelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel",
    abstract: "Cancel generations, in whichever process they run.",
    discussion: """
      Held credits are given back. Repeating it changes nothing; what has ended in another way is left as it is, and the
      command ends with 1.

        atelier cancel last
        atelier cancel gen_01k9w3ssq0m8v6c1xj5t2h4n7b
      """)

  @Argument(
    help: "The generations, as `atelier status` shows them; last is the newest.", completion: .generations)
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
        var request = request
        request.account = await engine.presentAccount(of: request.account)
        if case .id(let name) = request.target {
          request.target = .id(try await engine.generation(named: name.rawValue, of: request.account))
        }
        let generation = try await engine.generations.cancel(request, for: Caller())
        if json { return try Console.printJSON(generation) }
        Console.printEntry(generation.lines)
      }
    }
  }
}
