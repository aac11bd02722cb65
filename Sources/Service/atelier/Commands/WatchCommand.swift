import ArgumentParser
import AtelierProtocol
import Engine
import POSIX
import Synchronization

/// `atelier watch GENERATION`: follows a generation that any process makes.
struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Wait for a generation, in whichever process it runs.",
    discussion: """
      Progress goes to standard error, the paths of the pictures to standard output. It ends with 0 if all pictures were
      made, and with 1 if not. Ctrl-C ends the watch, with 130; the generation goes on.

        atelier watch last
        atelier watch gen_01k9w3ssq0m8v6c1xj5t2h4n7b
      """)

  @Argument(help: "The generation, as `atelier status` shows it; last is the newest.", completion: .generations)
  var generation: String

  @Option(help: "The account that the generation must belong to; by default any.")
  var account: String?

  @Flag(help: "Print the generation as JSON, in the form of the protocol.")
  var json = false

  @OptionGroup var common: CommonOptions

  private var request: GenerationWatch {
    GenerationWatch(
      generationId: GenerationID(rawValue: generation), account: account.map { AccountID(rawValue: $0) })
  }

  func validate() throws { _ = try request.checked() }

  func run() async throws {
    let display = ProgressDisplay(count: 1)
    let engine: Engine
    do {
      engine = try await EngineAssembly(common.settings).openedEngine { announcement in
        if case .progress(let progress, _) = announcement { display.show(progress) }
      }
    } catch {
      throw CommandFailure(error)
    }
    let (outcome, signal) = await outcome(of: engine)
    display.finish()
    await engine.leave(milliseconds: 0)
    if let signal, case .failure = outcome {
      throw CommandFailure(sentence: "No longer watched. The generation goes on.", status: 128 + signal)
    }
    do {
      try report(try outcome.get())
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Watches until the generation ends or a signal comes.
  private func outcome(of engine: Engine) async -> (Result<Generation, any Error>, signal: Int32?) {
    let signal = Mutex<Int32?>(nil)
    let watch = Task { [request, generation] in
      var request = request
      request.account = await engine.presentAccount(of: request.account)
      request.generationId = try await engine.generation(named: generation, of: request.account)
      return try await engine.generations.watch(request, for: Caller())
    }
    // If they cannot be watched, they end the process, which leaves the generation alone as well.
    try? TerminationSignals.watch { number in
      signal.withLock { $0 = $0 ?? number }
      watch.cancel()
    }
    return (await watch.result, signal.withLock { $0 })
  }

  private func report(_ ended: Generation) throws {
    let failures = ended.failures.map(\.error)
    for remark in ended.warnings.map(CommandWords.sentence(of:)) + failures.map(CommandWords.sentence(of:)) {
      Console.tell(remark)
    }
    if json {
      try Console.printJSON(ended)
    } else {
      for path in ended.images.compactMap(\.path) { print(path) }
    }
    switch ended.state {
    case .succeeded: return
    case .partial: throw CommandFailure(sentence: "Only some of the pictures were made.")
    case .cancelled: throw CommandFailure(sentence: "The generation was cancelled.")
    default: throw CommandFailure(sentence: ended.error.map(CommandWords.sentence(of:)) ?? "The generation failed.")
    }
  }
}
