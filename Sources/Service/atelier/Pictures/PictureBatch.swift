import AtelierProtocol
import Engine
import Imaging
import JSON
import POSIX
import Providers

/// Makes generations side by side: says who makes them and at what price, makes them, and writes their pictures.
struct PictureBatch: Sendable {
  let destination: PictureDestination
  /// The sheet that is made of each picture; nil for none.
  let sheet: PrintSheet?
  let engine: Engine
  let display: ProgressDisplay
  /// Whether the person has agreed to what it costs.
  let isAgreed: Bool

  /// Each job holds its pictures in memory until they are written.
  private static let mostAtOnce = 8

  private struct Plan: Sendable {
    var job: PictureJob
    var foresight: Foresight
  }

  /// Cancelling the task cancels what is being made; what has been made is written.
  /// - Parameter report: receives one outcome for each job, as they come.
  /// - Throws: `CommandFailure` when the person does not agree; `CancellationError` when the task is cancelled meanwhile.
  func run(_ jobs: [PictureJob], into report: inout PictureReport) async throws {
    var plans: [Plan] = []
    var taken: Set<String> = []
    for job in jobs {
      do {
        plans.append(try await plan(job, taken: &taken))
      } catch {
        display.ended(job, isMade: false)
        report.add(PictureOutcome(job: job, error: AtelierError(wrapping: error)))
      }
    }
    guard !plans.isEmpty else { return }
    let notice = BatchNotice(plans.map { ($0.job.request, $0.foresight) })
    let isNews = report.lastNotice != notice
    report.lastNotice = notice
    let agreement = try await CostAgreement.obtain(for: notice, isNews: isNews, yes: isAgreed, on: display)
    await make(plans, with: agreement, into: &report)
  }

  private func plan(_ job: PictureJob, taken: inout Set<String>) async throws -> Plan {
    let maximumBytes = engine.configuration.maximumPrepareBytes
    var job = job
    job.request.account = await engine.presentAccount(of: job.request.account)
    job.request = try await engine.namingGenerations(in: job.request)
    // A larger picture is prepared when its turn comes.
    let makers = try await engine.providers(for: job.request, of: Caller(), maximumImageBytes: maximumBytes)
    let formats = makers.first?.profile.output?.formats
    if let sheet { try engine.check(sheet, for: job.request.output) }
    if let formats, !writesSheetAlone { try job.request.choose(destination.format(of: formats, for: job.request)) }
    // Nobody else is asked than those about to be named.
    job.request.provider = ProviderChoice(makers.map(\.id))
    let foresight = try await engine.foresee(job.request, for: Caller(), maximumImageBytes: maximumBytes)
    let format = formats.map { _ in
      ImageFormat(job.request.output?.format ?? .standard(for: job.request.style?.background))
    }
    let (asked, known) = (job, taken)
    let (chosen, after) = try await LazyThreadPool.hostFiles.run {
      var taken = known
      let chosen = destination.choosePath(for: asked, as: format, sha256: foresight.earlier?.sha256, taken: &taken)
      return (chosen, taken)
    }
    taken = after
    job.firstNumber = chosen.number
    return Plan(job: job.recording(target: writesSheetAlone ? nil : chosen.path), foresight: foresight)
  }

  private var writesSheetAlone: Bool { sheet != nil && destination.takesSheetAlone }

  private func make(_ plans: [Plan], with agreement: CostAgreement, into report: inout PictureReport) async {
    let width = plans.map(atOnce).min() ?? 1
    await withTaskGroup(of: PictureOutcome.self) { group in
      var waiting = plans[...]
      for plan in waiting.prefix(width) { group.addTask { await make(plan.job, with: agreement) } }
      waiting = waiting.dropFirst(width)
      for await outcome in group {
        report.add(outcome)
        if let next = waiting.popFirst() { group.addTask { await make(next.job, with: agreement) } }
      }
    }
  }

  /// How many such generations may run at once: as many as the provider makes and the account may have.
  private func atOnce(_ plan: Plan) -> Int {
    var most = min(Self.mostAtOnce, plan.foresight.makers.first?.maximumConcurrentImages ?? 1)
    if plan.job.request.account ?? .owner != .owner {
      for limit in engine.configuration.credits.limits where limit.window == .concurrent {
        most = min(most, limit.limit)
      }
    }
    return max(1, most)
  }

  private func make(_ job: PictureJob, with agreement: CostAgreement) async -> PictureOutcome {
    var outcome = PictureOutcome(job: job)
    defer { display.ended(job, isMade: outcome.isMade) }
    guard !Task.isCancelled else { return outcome }
    do {
      let caller = Caller(requestID: .number(JSONNumber(job.position)))
      let generation = try await engine.make(
        try await engine.fitting(job.request, for: caller), for: caller, with: agreement)
      outcome.generation = generation.withoutInlineData
      await write(generation, to: &outcome)
      if let error = generation.error {
        // What could not be stored is in the files now.
        outcome.generation?.images.removeAll { $0.path == nil }
        for index in (outcome.generation?.images ?? []).indices { outcome.generation?.images[index].data = nil }
        outcome.error = outcome.error ?? AtelierError(error)
      }
    } catch is CancellationError {
      // Given up while a picture was prepared: nothing has begun.
    } catch {
      let error = AtelierError(wrapping: error)
      outcome.error = error
      outcome.generation = await record(of: error.generationId)
    }
    return outcome
  }

  private func write(_ generation: Generation, to outcome: inout PictureOutcome) async {
    // History has nothing of what could not be stored.
    var destination = destination
    let writesSheetAlone = writesSheetAlone && !generation.handsOver
    if generation.handsOver, self.writesSheetAlone || !destination.isWritten { destination = .beside }
    for (index, picture) in generation.images.enumerated() {
      do {
        if writesSheetAlone {
          try await writeSheetAlone(of: picture, generation, to: &outcome)
          continue
        }
        let (path, notice) = try await destination.write(picture, of: generation, for: outcome.job)
        outcome.paths += [path].compactMap { $0 }
        outcome.notices += [notice].compactMap { $0 }
        if let path, path != picture.path {
          outcome.generation?.images[index].storedPath = picture.path
          outcome.generation?.images[index].path = path
        }
        outcome.paths += try await writeSheet(of: picture, beside: path, to: destination, outcome.job)
        guard let matte = picture.matte,
          let mattePath = try await destination.write(matte, beside: path, of: picture.index, for: outcome.job)
        else { continue }
        outcome.paths.append(mattePath)
        if mattePath != matte.path {
          outcome.generation?.images[index].matte?.storedPath = matte.path
          outcome.generation?.images[index].matte?.path = mattePath
        }
      } catch {
        outcome.error = AtelierError(wrapping: error)
      }
    }
  }

  /// Writes the sheet in place of its picture. Where that is impossible and the picture is kept nowhere, it is written
  /// itself.
  /// - Throws: `AtelierError` that says where the picture is kept.
  private func writeSheetAlone(
    of picture: GeneratedImage, _ generation: Generation, to outcome: inout PictureOutcome
  ) async throws {
    do {
      outcome.paths += try await writeSheet(of: picture, beside: nil, to: destination, outcome.job)
    } catch {
      guard generation.private == true else {
        throw PictureDestination.failure(error, keptAt: picture.path, isPrivate: false)
      }
      let path = try await PictureDestination.beside.write(picture, of: generation, for: outcome.job).path
      throw PictureDestination.failure(error, keptAt: path, isPrivate: true)
    }
  }

  /// - Returns: the path of the sheet, if there is one.
  private func writeSheet(
    of picture: GeneratedImage, beside path: String?, to destination: PictureDestination, _ job: PictureJob
  ) async throws -> [String] {
    guard let sheet else { return [] }
    guard let data = picture.data, let bytes = InlineImage(base64: data)?.decoded() else { throw AtelierError(.internal) }
    let made = try await engine.sheet(
      sheet, of: bytes, width: picture.width, height: picture.height, askedFor: job.request.output)
    let written = try await destination.write(made, beside: path, for: job)
    return [written].compactMap { $0 }
  }

  /// The record of a generation that failed; nil when the request did not become one.
  private func record(of id: GenerationID?) async -> Generation? {
    guard let id, case .generation(let generation)? = try? await engine.status(Status(target: .id(id)), for: Caller())
    else { return nil }
    return generation
  }
}
