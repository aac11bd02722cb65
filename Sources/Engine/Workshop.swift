import AtelierProtocol
import Imaging
import Providers
import Store

/// Makes the pictures of one generation: reads, prepares, asks the providers, stages the files. Cancelling its task
/// cancels all of it; it never touches the generation's row.
struct Workshop: Sendable {
  let configuration: EngineConfiguration
  let surroundings: Surroundings
  let intake: PhotoIntake
  let monitor: ProviderMonitor
  let store: Store
  /// Told whether a provider may have begun the work, for a generation that may be tried again.
  var witness: SendingWitness?

  /// Told in order, as the work moves on.
  typealias Report = @Sendable (WorkReport) async -> Void

  /// Does the work within the time the request allows.
  /// - Throws: `AtelierError` when there is no picture at all; `CancellationError` when the task was cancelled.
  func make(_ work: GenerationWork, report: @escaping Report) async throws -> Delivery {
    let timeoutMs = work.request.timeoutMs ?? configuration.policy(for: work.request.recipe).timeoutMs
    return try await withThrowingTaskGroup(of: Delivery?.self) { group in
      group.addTask {
        try await perform(work, deadlineMs: surroundings.uptimeMs() + Int64(timeoutMs), report: report)
      }
      group.addTask {
        try await surroundings.sleep(.milliseconds(timeoutMs))
        return nil
      }
      let first = await group.nextResult()
      group.cancelAll()
      let second = await group.nextResult()
      // Pictures that were ready in the same moment count, whatever else happened then.
      for case .success(let delivery?) in [first, second].compactMap({ $0 }) { return delivery }
      if case .failure(let error) = first { throw error }
      throw AtelierError(
        .timedOut, "The picture took longer than the \(timeoutMs) ms allowed. Try again, or allow more with timeoutMs.",
        provider: work.provider.id)
    }
  }

  private func perform(_ work: GenerationWork, deadlineMs: Int64, report: @escaping Report) async throws -> Delivery {
    let message = work.request.image == nil ? "Preparing your request…" : "Preparing your photo…"
    await report(.whole(ImageProgress(phase: .preparing, message: message)))
    if let id = work.request.template, work.template == nil { throw AtelierError(templateNotFound: id) }
    let keeps = !work.isPrivate && configuration.preparedLifetimeMs > 0
    let pictures = try await WorkPictures(of: work, intake: intake, keepsPhoto: keeps)
    // What is kept of the input is written while the provider works.
    async let keeping = keeps ? keep(pictures, for: work) : []
    let run = PictureRun(
      lineup: work.lineup, policy: configuration.policy(for: work.request.recipe), monitor: monitor,
      surroundings: surroundings, deadlineMs: deadlineMs, pictures: pictures, witness: witness)
    var delivery = Delivery()
    do {
      let key = work.resultKey(of: pictures)
      if let earlier = await earlierResult(for: key, of: work) {
        delivery = earlier
      } else {
        try await make(work, run: run, into: &delivery, report: report)
        delivery.cacheKey = delivery.providers == [work.provider.id] ? key : nil
      }
      for error in work.lineup.passedOver { delivery.add(Warning(passingOver: error)) }
      delivery.inputs = try await keeping
      return delivery
    } catch {
      for artifact in delivery.stagedArtifacts { await store.discard(artifact) }
      for input in (try? await keeping) ?? [] { await store.discard(input.source) }
      throw error
    }
  }

  private func make(
    _ work: GenerationWork, run: PictureRun, into delivery: inout Delivery, report: @escaping Report
  ) async throws {
    let made = try await makeAll(work, run: run, delivery: &delivery, report: report)
    await report(.whole(ImageProgress(phase: .saving, message: "Saving your picture…")))
    for (index, outcome) in made { try await add(outcome, index: index, of: work, to: &delivery) }
  }

  /// What became of one picture.
  private struct Ended: Sendable {
    var index: Int
    var result: Result<PictureRun.Outcome, AtelierError>
  }

  /// Makes every picture, as many at the same time as may be. Failures beside a success go into the delivery.
  /// - Returns: what was made, by index.
  private func makeAll(
    _ work: GenerationWork, run: PictureRun, delivery: inout Delivery, report: @escaping Report
  ) async throws -> [(Int, PictureRun.Outcome)] {
    let all = try await work.wanted == 1 ? [make(0, of: work, run: run, report: report)] : several(work, run, report)
    var made: [(Int, PictureRun.Outcome)] = []
    var firstError: AtelierError?
    for ended in all {
      switch ended.result {
      case .success(let outcome): made.append((ended.index, outcome))
      case .failure(let error):
        firstError = firstError ?? error
        delivery.failures.append(
          ImageFailure(
            index: ended.index, view: work.view(of: ended.index)?.rawValue,
            error: error.about(work.id).body(at: surroundings.now())))
      }
    }
    if made.isEmpty, let firstError { throw firstError }
    return made
  }

  private func several(_ work: GenerationWork, _ run: PictureRun, _ report: @escaping Report) async throws -> [Ended] {
    try await withThrowingTaskGroup(of: Ended.self) { group in
      var all: [Ended] = []
      for index in 0..<work.wanted {
        if index >= work.atOnce, let ended = try await group.next() { all.append(ended) }
        group.addTask { try await make(index, of: work, run: run, report: report) }
      }
      for try await ended in group { all.append(ended) }
      return all.sorted { $0.index < $1.index }
    }
  }

  private func make(
    _ index: Int, of work: GenerationWork, run: PictureRun, report: @escaping Report
  ) async throws -> Ended {
    do {
      let outcome = try await run.make(work.imageRequest(index: index)) { await report(.picture(index, $0)) }
      await report(.ended(index))
      return Ended(index: index, result: .success(outcome))
    } catch let error as AtelierError {
      await report(.ended(index))
      return Ended(index: index, result: .failure(error))
    }
  }

  /// Makes what it works from durable, to refine the result or make it again (REQUIREMENTS 7.2).
  private func keep(_ pictures: WorkPictures, for work: GenerationWork) async throws -> [PreparedKeeping] {
    var kept: [PreparedKeeping] = []
    do {
      if let photo = pictures.photo { kept.append(try await keep(photo, for: work)) }
      // A template's own picture stands behind them; it is the library's to keep.
      for (position, reference) in pictures.references.prefix(work.request.references?.count ?? 0).enumerated() {
        kept.append(try await keep(reference, as: position, for: work))
      }
      return kept
    } catch {
      for input in kept { await store.discard(input.source) }
      throw error
    }
  }

  /// - Parameter reference: which of the pictures to go by it is; nil for the photo.
  private func keep(
    _ photo: PhotoIntake.Photo, as reference: Int? = nil, for work: GenerationWork
  ) async throws -> PreparedKeeping {
    let source: ArtifactSource
    if let stored = photo.stored {
      source = .stored(stored)
    } else {
      source = .staged(try await store.stage(photo.image.bytes, mimeType: photo.image.mimeType))
    }
    return PreparedKeeping(
      id: PreparedID(rawValue: surroundings.makeIdentifier("prep_")), account: work.account, generation: work.id,
      reference: reference, source: source, width: photo.image.width, height: photo.image.height,
      lifetimeMs: configuration.preparedLifetimeMs)
  }

  private func add(
    _ outcome: PictureRun.Outcome, index: Int, of work: GenerationWork, to delivery: inout Delivery
  ) async throws {
    let image = outcome.image
    let staged = try await store.stage(image.bytes, mimeType: image.mimeType)
    let maker = work.lineup.asked.first { $0.id == outcome.provider }
    delivery.pictures.append(
      Delivery.Picture(
        index: index, view: work.view(of: index), image: image, source: .staged(staged),
        credits: maker.map { configuration.credits.costs.perPicture(by: $0, for: work.request) } ?? 0))
    delivery.provider = delivery.provider ?? outcome.provider
    delivery.providers.insert(outcome.provider)
    delivery.model = delivery.model ?? image.model
    delivery.text = delivery.text ?? image.text
    delivery.usage = delivery.usage + image.usage
    for warning in image.warnings { delivery.add(warning) }
    for warning in OutputCheck(work.request.output).warnings(image) { delivery.add(warning) }
    for error in outcome.passedOver { delivery.add(Warning(passingOver: error)) }
  }
}

/// Runs work of the imaging worker; its errors become the wire's.
func imaging<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
  do {
    return try await work()
  } catch let error as ImagingError {
    throw AtelierError(error.kind, error.message, details: error.details)
  }
}
