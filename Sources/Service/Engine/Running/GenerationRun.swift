import AtelierProtocol
import Imaging
import Localization
import Providers
import Store

/// Does the work of one generation: reads, prepares, asks the providers, stages the files. Cancelling its task cancels
/// all of it; it never touches the generation's row.
struct GenerationRun: Sendable {
  let parts: EngineParts
  let store: Store
  /// Records what is sent to providers.
  let sending: SendingRecord
  /// Whether another process could do the work if this one dies: then it is noted before anything is sent.
  let isDurable: Bool

  /// Receives reports in order as the work proceeds.
  typealias Report = @Sendable (WorkReport) async -> Void

  /// Does the work within the time the request allows. Pictures ready by then are delivered; the others fail with
  /// `timed_out`.
  /// - Throws: `AtelierError` when there is no picture at all; `CancellationError` when the task was cancelled.
  func make(_ work: GenerationWork, report: @escaping Report) async throws -> Delivery {
    let timeoutMs = parts.configuration.timeLimitMs(of: work)
    let deadline = Deadline(
      atMs: parts.surroundings.uptimeMs() + Int64(timeoutMs), timeoutMs: timeoutMs, surroundings: parts.surroundings)
    if work.request.recipe == .places { return try await find(work, deadline: deadline, report: report) }
    let message: Sentence = work.request.image == nil ? "Preparing your request…" : "Preparing your photo…"
    await report(.whole(ImageProgress(phase: .preparing, message: message)))
    if let id = work.request.templateId, work.template == nil { throw AtelierError(templateNotFound: id) }
    let keeps = !work.isPrivate && parts.configuration.preparedLifetimeMs > 0
    let pictures = try await deadline.bound(provider: nil) {
      try await WorkPictures(of: work, intake: parts.intake, keepsPhoto: keeps)
    }
    return try await perform(work, pictures: pictures, keeps: keeps, deadline: deadline, report: report)
  }

  func calls(for work: GenerationWork, _ deadline: Deadline) -> ProviderCalls {
    ProviderCalls(
      policy: parts.configuration.policy(for: work.request.recipe), monitor: parts.monitor,
      surroundings: parts.surroundings, deadline: deadline, sending: sending
    ) { try await noteSending(of: work.id) }
  }

  private func noteSending(of id: GenerationID) async throws {
    guard isDurable, !sending.isNoted else { return }
    let outcome = try await parts.persistently { try await store.noteSending(id) }
    // Another process has cancelled or deleted it.
    if case .ended = outcome { throw CancellationError() }
    sending.noted()
  }

  private func perform(
    _ work: GenerationWork, pictures: WorkPictures, keeps: Bool, deadline: Deadline, report: @escaping Report
  ) async throws -> Delivery {
    // The input is stored while the provider works, unless that prepares it.
    async let keeping =
      keeps && !pictures.awaitsPreparation
      ? attemptToKeep(pictures, for: work) : []
    let run = PictureRun(lineup: work.lineup, calls: calls(for: work, deadline), pictures: pictures)
    var delivery = Delivery()
    do {
      let key = try await work.resultKey(of: pictures)
      if let earlier = await earlierResult(for: key, of: work) {
        delivery = earlier
      } else if let refusal = work.refusalUnlessCached {
        throw refusal
      } else {
        try await make(work, run: run, into: &delivery, report: report)
        delivery.cacheKey = delivery.providers == [work.provider.id] ? key : nil
      }
      for error in work.lineup.passedOver { delivery.add(Warning(passingOver: error)) }
      // Once there are pictures, nothing that the store cannot do is a reason to lose them.
      do {
        do {
          delivery.inputs = try await keeping
        } catch let error as AtelierError where error.isOfTheStoreForNow {
          delivery.inputs = try await keepPersistently(pictures, for: work)
        }
        if pictures.awaitsPreparation {
          let prepared = delivery.pictures.lazy.compactMap(\.image.preparedPhoto).first
          let ready = try await pictures.prepared(by: prepared)
          delivery.inputs = try await keepPersistently(ready, for: work)
        }
      } catch let error as AtelierError where error.isOfKeeping {
        delivery.obstacle = delivery.obstacle ?? error
      }
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

  /// The outcome of one picture.
  private struct Ended: Sendable {
    var index: Int
    var result: Result<PictureRun.Outcome, AtelierError>
  }

  /// Makes every picture, as many at the same time as allowed. Failures beside a success go into the delivery.
  /// - Returns: the pictures made, by index.
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
            error: error.about(work.id).body(at: parts.surroundings.now())))
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
      var request = work.imageRequest(index: index)
      request.wantsPreparedPhoto = index == 0 && run.pictures.awaitsPreparation
      let outcome = try await run.make(request) { await report(.picture(index, $0)) }
      await report(.ended(index))
      return Ended(index: index, result: .success(outcome))
    } catch let error as AtelierError {
      await report(.ended(index))
      return Ended(index: index, result: .failure(error))
    }
  }

  /// Stores the input as soon as the store can.
  private func keepPersistently(_ pictures: WorkPictures, for work: GenerationWork) async throws -> [PreparedKeeping] {
    try await parts.persistently(for: work.id) { try await attemptToKeep(pictures, for: work) }
  }

  private func attemptToKeep(_ pictures: WorkPictures, for work: GenerationWork) async throws -> [PreparedKeeping] {
    try await parts.storeRetries.attempt(
      for: work.id, discard: { for input in $0 { await store.discard(input.source) } }
    ) { try await keep(pictures, for: work) }
  }

  /// Stores the input, so that the result can be refined or made again.
  private func keep(_ pictures: WorkPictures, for work: GenerationWork) async throws -> [PreparedKeeping] {
    var kept: [PreparedKeeping] = []
    do {
      let lifetimeMs = parts.configuration.preparedLifetimeMs
      func keep(_ photo: PhotoIntake.Photo, as reference: Int?) async throws {
        kept.append(
          try await photo.kept(
            for: work, as: reference, in: store, surroundings: parts.surroundings, lifetimeMs: lifetimeMs))
      }
      if let photo = pictures.photo { try await keep(photo, as: nil) }
      // A template's own picture comes after the references; the library keeps it.
      for (position, reference) in pictures.references.prefix(work.request.references?.count ?? 0).enumerated() {
        try await keep(reference, as: position)
      }
      return kept
    } catch {
      for input in kept { await store.discard(input.source) }
      throw error
    }
  }

  /// Stages a file, unless the generation is private or the store can keep nothing.
  /// - Parameter obstacle: why it cannot; nil while it can.
  private func source(
    of bytes: [UInt8], _ mimeType: String, of work: GenerationWork, obstacle: inout AtelierError?
  ) async throws -> ArtifactSource {
    if work.isPrivate || obstacle != nil { return store.unstored(bytes, mimeType: mimeType) }
    do {
      let staged = try await parts.persistently(for: work.id) {
        try await parts.storeRetries.attempt(for: work.id, discard: { [store] in await store.discard($0) }) { [store] in
          try await store.stage(bytes, mimeType: mimeType)
        }
      }
      return .staged(staged)
    } catch let error as AtelierError {
      obstacle = error
      return store.unstored(bytes, mimeType: mimeType)
    }
  }

  /// Stages the picture and what belongs to it.
  private func files(
    of outcome: PictureRun.Outcome, index: Int, of work: GenerationWork, obstacle: inout AtelierError?
  ) async throws -> [Delivery.File] {
    let maker = work.lineup.asked.first { $0.id == outcome.provider }
    let price = maker.map { parts.configuration.credits.costs.perPicture(by: $0, for: work.request) } ?? 0
    var files: [Delivery.File] = []
    do {
      for made in outcome.image.files {
        let file = GenerationFile(
          made.role, index: index, view: work.view(of: index)?.rawValue,
          source: try await source(of: made.bytes, made.mimeType, of: work, obstacle: &obstacle),
          width: made.width, height: made.height,
          credits: made.role == .image ? price : 0)
        files.append(Delivery.File(file: file, bytes: made.bytes))
      }
      return files
    } catch {
      for staged in files { await store.discard(staged.file.source) }
      throw error
    }
  }

  private func add(
    _ outcome: PictureRun.Outcome, index: Int, of work: GenerationWork, to delivery: inout Delivery
  ) async throws {
    let image = outcome.image
    let files = try await files(of: outcome, index: index, of: work, obstacle: &delivery.obstacle)
    delivery.pictures.append(Delivery.Picture(index: index, image: image, files: files))
    delivery.provider = delivery.provider ?? outcome.provider
    delivery.providers.insert(outcome.provider)
    delivery.model = delivery.model ?? image.model
    delivery.text = delivery.text ?? image.text
    delivery.usage = delivery.usage + image.usage
    for warning in image.warnings { delivery.add(warning) }
    for warning in OutputCheck(work.request.output).warnings(image)
    where !image.warnings.contains(where: { $0.kind == warning.kind }) {
      delivery.add(warning)
    }
    for error in outcome.passedOver { delivery.add(Warning(passingOver: error)) }
  }
}

extension AtelierError {
  /// Whether the store says it, of whatever it was given: that it cannot keep it now, or at all.
  fileprivate var isOfKeeping: Bool { kind.consequences.isOfTheStore || kind == .internal }
}

extension ProviderImage {
  /// What is kept of it, each with its role.
  fileprivate var files: [(role: FileRole, bytes: [UInt8], mimeType: String, width: Int, height: Int)] {
    let image = (FileRole.image, bytes, mimeType, width, height)
    return [image] + (matte.map { [(.matte, $0.bytes, $0.mimeType, $0.width, $0.height)] } ?? [])
  }
}

/// Runs work of the imaging worker and converts its errors to wire errors.
func imaging<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
  do {
    return try await work()
  } catch let error as ImagingError {
    throw AtelierError(error.kind, error.sentence, details: error.details)
  }
}
