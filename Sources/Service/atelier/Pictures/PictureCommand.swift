import ArgumentParser
import AtelierProtocol
import Engine
import Glibc
import POSIX
import Synchronization

/// A command that makes pictures: `generate` and its short forms differ in their options alone.
protocol PictureCommand: AsyncParsableCommand {
  var pictures: PictureOptions { get }
  var common: CommonOptions { get }

  /// What is asked for, without what ``PictureOptions`` says; one request for each photo.
  /// - Throws: wrong usage.
  func requests() throws -> [(name: String?, request: Generate)]
}

extension PictureCommand {
  func validate() throws { _ = try jobs() }

  func run() async throws {
    let jobs = try jobs()
    let destination = PictureDestination(pictures)
    try await destination.check(against: jobs)
    let assembly = try await EngineAssembly(common.settings)
    let input = try await StandardInput.photo(
      ifIn: jobs.map(\.request), maximumBytes: assembly.configuration.maximumPrepareBytes)
    let display = ProgressDisplay(count: jobs.count)
    let engine: Engine
    do {
      engine = try await assembly.openedEngine { announcement in
        if case .progress(let progress, _) = announcement { display.show(progress) }
      }
    } catch {
      throw CommandFailure(error)
    }
    var named = jobs.map { $0.reading(input) }
    do {
      for index in named.indices { named[index].request = try await engine.namingGenerations(in: named[index].request) }
    } catch {
      await engine.leave(milliseconds: 0)
      throw CommandFailure(error)
    }
    let batch = PictureBatch(
      jobs: named, destination: destination, engine: engine, display: display)
    let (outcomes, signal) = await Self.outcomes(of: batch)
    display.finish()
    await engine.leave(milliseconds: 1000)
    do {
      try PictureReport(outcomes: outcomes, isJSON: pictures.json, now: EngineAssembly.now).print()
    } catch let failure as CommandFailure where failure.isCancelled {
      // Without a signal, another process has cancelled it.
      throw CommandFailure(sentence: failure.sentence, status: signal.map { 128 + $0 } ?? 1)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Runs the batch until it ends, or a signal cancels it.
  private static func outcomes(of batch: PictureBatch) async -> ([PictureOutcome], signal: Int32?) {
    let signal = Mutex<Int32?>(nil)
    let task = Task { await batch.run() }
    // If they cannot be watched, they end the process, and the next one records what became of the generations.
    try? TerminationSignals.watch { number in
      signal.withLock { $0 = $0 ?? number }
      task.cancel()
    }
    return (await task.value, signal.withLock { $0 })
  }

  /// - Throws: wrong usage.
  private func jobs() throws -> [PictureJob] {
    let requests = try requests()
    let jobs = try requests.enumerated().map { position, wanted in
      var request = wanted.request
      var output = request.output ?? Generate.Output()
      output.count = output.mode == .multiAngle ? nil : pictures.count
      output.inline = pictures.output != nil || pictures.directory != nil ? true : nil
      (output.aspectRatio, output.size) = (pictures.aspectRatio, pictures.size)
      request.output = output
      request.references = pictures.reference.isEmpty ? nil : pictures.reference.map { .path($0) }
      request.provider = pictures.provider.map { ProviderChoice(ProviderID(rawValue: $0)) }
      request.model = pictures.model
      request.account = pictures.account.map { AccountID(rawValue: $0) }
      request.cache = pictures.cache
      request.private = pictures.private ? true : nil
      return PictureJob(position: position, name: wanted.name, request: try request.checked())
    }
    try check(jobs)
    return jobs
  }

  private func check(_ jobs: [PictureJob]) throws {
    let isSeveral = jobs.count > 1 || jobs.contains { $0.request.pictureCount > 1 }
    if pictures.output != nil {
      guard !isSeveral else { throw ValidationError("-o takes one picture; use --directory for several.") }
      guard pictures.output != "-" || !jobs.contains(where: { $0.request.output?.matte == true }) else {
        throw ValidationError("Standard output takes one picture, and the matte is another: name a file with -o.")
      }
      guard pictures.directory == nil else { throw ValidationError("Name either -o or --directory.") }
      guard pictures.output != "-" || !pictures.json else {
        throw ValidationError("Standard output takes either the picture or JSON: name a file with -o.")
      }
    }
    guard !pictures.private || pictures.output != nil || pictures.directory != nil else {
      throw ValidationError("A private picture is not kept: say where it is to go with -o or --directory.")
    }
    guard StandardInput.uses(in: jobs.map(\.request)) <= 1 else {
      throw ValidationError("Standard input holds one picture: name - once.")
    }
    for job in jobs {
      do throws(AtelierError) {
        try job.request.validate()
      } catch {
        throw ValidationError(error.message)
      }
    }
  }
}
