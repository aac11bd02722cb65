import AtelierProtocol
import Engine
import JSON
import Providers

/// The generations of one command: says who makes them and at what price, makes them, and writes their pictures.
struct PictureBatch: Sendable {
  let jobs: [PictureJob]
  let destination: PictureDestination
  let engine: Engine
  let display: ProgressDisplay

  /// Each job holds its pictures in memory until they are written.
  private static let mostAtOnce = 8

  private struct Plan: Sendable {
    var job: PictureJob
    var makers: [any ImageProvider]
  }

  /// Cancelling the task cancels what is being made; what has been made is written.
  /// - Returns: one outcome for each job, in their order.
  func run() async -> [PictureOutcome] {
    var outcomes: [PictureOutcome] = []
    var plans: [Plan] = []
    for job in jobs {
      do {
        plans.append(try await plan(job))
      } catch {
        outcomes.append(PictureOutcome(job: job, error: AtelierError(wrapping: error)))
        display.ended(job, isMade: false)
      }
    }
    announce(plans)
    outcomes += await make(plans)
    return outcomes.sorted { $0.job.position < $1.job.position }
  }

  private func plan(_ job: PictureJob) async throws -> Plan {
    // A larger picture is prepared when its turn comes.
    let makers = try await engine.providers(
      for: job.request, of: Caller(), maximumImageBytes: engine.configuration.maximumPrepareBytes)
    var job = job
    if let formats = makers.first?.profile.output?.formats {
      try job.request.choose(destination.format(of: formats, for: job.request))
    }
    // Nobody else is asked than those about to be named.
    job.request.provider = ProviderChoice(makers.map(\.id))
    return Plan(job: job, makers: makers)
  }

  private func announce(_ plans: [Plan]) {
    guard let first = plans.first else { return }
    let pictures = plans.reduce(0) { $0 + $1.job.request.pictureCount }
    display.announce(first.makers, for: first.job.request, generations: plans.count, results: pictures)
  }

  private func make(_ plans: [Plan]) async -> [PictureOutcome] {
    let width = plans.map(atOnce).min() ?? 1
    return await withTaskGroup(of: PictureOutcome.self) { group in
      var waiting = plans[...]
      var outcomes: [PictureOutcome] = []
      for plan in waiting.prefix(width) { group.addTask { await make(plan.job) } }
      waiting = waiting.dropFirst(width)
      for await outcome in group {
        outcomes.append(outcome)
        if let next = waiting.popFirst() { group.addTask { await make(next.job) } }
      }
      return outcomes
    }
  }

  /// How many such generations may run at once: as many as the provider makes and the account may have.
  private func atOnce(_ plan: Plan) -> Int {
    var most = min(Self.mostAtOnce, plan.makers.first?.maximumConcurrentImages ?? 1)
    if plan.job.request.account ?? .owner != .owner {
      for limit in engine.configuration.credits.limits where limit.window == .concurrent {
        most = min(most, limit.limit)
      }
    }
    return max(1, most)
  }

  private func make(_ job: PictureJob) async -> PictureOutcome {
    var outcome = PictureOutcome(job: job)
    defer { display.ended(job, isMade: outcome.isMade) }
    guard !Task.isCancelled else { return outcome }
    do {
      let caller = Caller(requestID: .number(JSONNumber(job.position)))
      let generation = try await engine.generations.generate(
        try await engine.fitting(job.request, for: caller), for: caller)
      outcome.generation = generation.withoutInlineData
      await write(generation, to: &outcome)
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
    for (index, picture) in generation.images.enumerated() {
      do {
        let (path, notice) = try await destination.write(picture, of: generation, for: outcome.job)
        outcome.paths += [path].compactMap { $0 }
        outcome.notices += [notice].compactMap { $0 }
        if let path, path != picture.path {
          outcome.generation?.images[index].storedPath = picture.path
          outcome.generation?.images[index].path = path
        }
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

  /// The record of a generation that failed; nil when the request did not become one.
  private func record(of id: GenerationID?) async -> Generation? {
    guard let id, case .generation(let generation)? = try? await engine.status(Status(target: .id(id)), for: Caller())
    else { return nil }
    return generation
  }
}
