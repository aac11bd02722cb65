import AtelierProtocol
import Imaging
import Providers
import Store

/// Makes the pictures of one generation: reads, prepares, asks the provider, stages the files. Cancelling its task
/// cancels all of it; it never touches the generation's row.
struct Workshop: Sendable {
  let configuration: EngineConfiguration
  let surroundings: Surroundings
  let worker: ImagingWorker
  let photos: PhotoSource
  let store: Store

  /// Told in order, as the work moves on.
  typealias Report = @Sendable (ImageProgress, GenerationProgress.Step?) async -> Void

  /// Does the work within the time the request allows.
  /// - Throws: `AtelierError` when there is no picture at all; `CancellationError` when the task was cancelled.
  func make(_ work: GenerationWork, report: @escaping Report) async throws -> Delivery {
    let timeoutMs = work.request.timeoutMs ?? configuration.generationTimeoutMs
    return try await withThrowingTaskGroup(of: Delivery?.self) { group in
      group.addTask { try await perform(work, timeoutMs: timeoutMs, report: report) }
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

  private func perform(_ work: GenerationWork, timeoutMs: Int, report: @escaping Report) async throws -> Delivery {
    await report(ImageProgress(phase: .preparing, message: "Preparing your photo…"), nil)
    var photo: [UInt8]?
    if let source = work.request.image {
      let bytes = try await photos.read(source, account: work.account)
      try await prepare(bytes, for: work)
      photo = bytes
    }
    var made: [(index: Int, image: ProviderImage)] = []
    var delivery = Delivery()
    var firstError: AtelierError?
    for index in 0..<work.wanted {
      let step = work.wanted > 1 ? GenerationProgress.Step(index: index, count: work.wanted) : nil
      let request = work.imageRequest(index: index, photo: photo, timeoutMs: timeoutMs)
      do {
        made.append((index, try await ask(work.provider, request, step: step, report: report)))
      } catch let error as AtelierError {
        firstError = firstError ?? error
        delivery.failures.append(ImageFailure(index: index, error: error.about(work.id).body(at: surroundings.now())))
      }
    }
    if made.isEmpty, let firstError { throw firstError }
    await report(ImageProgress(phase: .saving, message: "Saving your picture…"), nil)
    do {
      for (index, image) in made { try await add(image, index: index, to: &delivery) }
      return delivery
    } catch {
      for artifact in delivery.stagedArtifacts { await store.discard(artifact) }
      throw error
    }
  }

  /// Checks the photo and keeps its prepared form, to refine the result or make it again (REQUIREMENTS 2.3, 7.2).
  private func prepare(_ bytes: [UInt8], for work: GenerationWork) async throws {
    let keeps = !work.isPrivate && configuration.preparedLifetimeMs > 0
    guard keeps else {
      _ = try await imaging { try await worker.probe(bytes, limits: .generation) }
      return
    }
    let prepared = try await imaging { try await worker.prepare(bytes, options: PrepareJob(limits: .generation)) }
    let staged = try await store.stage(prepared.image.bytes, mimeType: prepared.image.mimeType)
    _ = try await store.keep(
      PreparedKeeping(
        id: PreparedID(rawValue: surroundings.makeIdentifier("prep_")), account: work.account, generation: work.id,
        artifact: staged, width: prepared.image.width, height: prepared.image.height,
        lifetimeMs: configuration.preparedLifetimeMs))
  }

  /// Asks the provider for one picture; its progress, told from any thread, is passed on in order.
  private func ask(
    _ provider: any ImageProvider, _ request: ImageRequest, step: GenerationProgress.Step?, report: @escaping Report
  ) async throws -> ProviderImage {
    let (updates, updating) = AsyncStream<ImageProgress>.makeStream(bufferingPolicy: .bufferingNewest(1))
    async let forwarding: Void = {
      for await update in updates { await report(update, step) }
    }()
    let outcome: Result<ProviderImage, any Error>
    do {
      outcome = .success(try await provider.makeImage(request) { updating.yield($0) })
    } catch {
      outcome = .failure(error)
    }
    updating.finish()
    await forwarding
    return try outcome.get()
  }

  private func add(_ image: ProviderImage, index: Int, to delivery: inout Delivery) async throws {
    let staged = try await store.stage(image.bytes, mimeType: image.mimeType)
    delivery.pictures.append(Delivery.Picture(index: index, image: image, staged: staged))
    delivery.model = image.model
    delivery.usage = delivery.usage + image.usage
    for warning in image.warnings where !delivery.warnings.contains(warning) { delivery.warnings.append(warning) }
    guard delivery.thumbnail == nil else { return }
    let thumbnail = try await imaging {
      try await worker.thumbnail(image.bytes, longestSide: configuration.thumbnailSide)
    }
    delivery.thumbnail = try await store.stage(thumbnail.bytes, mimeType: thumbnail.mimeType)
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
