import ArgumentParser
import AtelierProtocol
import Engine
import Glibc
import POSIX

/// `atelier watch GENERATION`: follows a generation that another process makes.
struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Wait for a generation, whichever process makes it.",
    discussion: """
      Progress goes to standard error, the paths of the pictures to standard output. Ctrl-C ends the watch; the
      generation goes on. The exit status is 0 if there are pictures, 1 if there are none, and 130 if the generation was
      cancelled or the watch was ended.

        atelier watch gen_01kbkf8q6v3m5c7x9d1h2j4k6n
      """)

  @Argument(help: "The id of the generation.")
  var generation: String

  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard (1...GenerationID.maximumLength).contains(generation.unicodeScalars.count) else {
      throw ValidationError("A generation is named by 1 to \(GenerationID.maximumLength) characters.")
    }
  }

  func run() async throws {
    let line = ProgressLine()
    let engine: Engine
    do {
      engine = try await EngineAssembly(common.settings).openedEngine { announcement in
        if case .progress(let progress, _) = announcement { line.show(progress) }
      }
    } catch {
      throw CommandFailure(error)
    }
    let request = GenerationWatch(generationId: GenerationID(rawValue: generation))
    let watch = Task { try await engine.generations.watch(request, for: Caller()) }
    let outcome: Result<Generation, any Error>
    do {
      try TerminationSignals.watch { _ in watch.cancel() }
      outcome = .success(try await watch.value)
    } catch {
      outcome = .failure(error)
    }
    line.finish()
    await engine.leave(milliseconds: 0)
    try report(outcome)
  }

  private func report(_ outcome: Result<Generation, any Error>) throws {
    let ended: Generation
    do {
      ended = try outcome.get()
    } catch is CancellationError {
      throw CommandFailure(sentence: "No longer watched. The generation goes on.", status: 130)
    } catch {
      throw CommandFailure(error)
    }
    for warning in ended.warnings { Console.error("atelier: \(warning.message)\n") }
    for failure in ended.failures { Console.error("atelier: \(failure.error.message)\n") }
    for path in ended.images.compactMap(\.path) { print(path) }
    if ended.state == .cancelled { throw CommandFailure(sentence: "The generation was cancelled.", status: 130) }
    if let error = ended.error { throw CommandFailure(sentence: error.message) }
  }
}
