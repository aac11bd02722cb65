import AtelierProtocol
import Imaging
import Providers

/// Makes one picture of a generation: asks a provider as often as the policy allows, then the next one.
struct PictureRun: Sendable {
  /// A picture and its provider.
  struct Outcome: Sendable {
    var image: ProviderImage
    var provider: ProviderID
    /// The failures of the providers asked before.
    var passedOver: [AtelierError]
  }

  let lineup: ProviderLineup
  let policy: RecipePolicy
  let monitor: ProviderMonitor
  let surroundings: Surroundings
  let deadline: Deadline
  let pictures: WorkPictures
  /// Records what is sent.
  let sending: SendingRecord

  typealias Report = @Sendable (ImageProgress) async -> Void

  /// Makes the picture.
  /// - Throws: the failure of the provider asked first, with those of the others in its details; `timed_out`, which
  ///   says whether a provider may have charged for it; `CancellationError`.
  func make(_ request: ImageRequest, report: @escaping Report) async throws -> Outcome {
    do {
      return try await deadline.bound(provider: lineup.first.id) { try await makeInTime(request, report: report) }
    } catch var error as AtelierError where error.kind == .timedOut {
      if !sending.isUnsent { error.details["mayHaveBeenCharged"] = true }
      throw error
    }
  }

  private func makeInTime(_ request: ImageRequest, report: @escaping Report) async throws -> Outcome {
    var failures: [AtelierError] = []
    for (position, provider) in ([lineup.first] + lineup.others).enumerated() {
      if position > 0, let refusal = await refusal(of: provider, for: request) {
        failures.append(refusal)
        continue
      }
      let fitting = try await pictures.filled(request.fitting(provider, isFirst: isFirstWanted(provider)), for: provider)
      do throws(Failure) {
        let image = try await ask(provider, fitting, report: report)
        return Outcome(image: image, provider: provider.id, passedOver: failures)
      } catch {
        switch error {
        case .cancelled: throw CancellationError()
        case .passOn(let failure): failures.append(failure)
        case .final(let failure): throw failure.followed(by: failures)
        }
      }
    }
    guard let first = failures.first else { throw AtelierError(.providerUnavailable) }
    throw first.followed(by: Array(failures.dropFirst()))
  }

  private enum Failure: Error {
    case cancelled
    case passOn(AtelierError)
    case final(AtelierError)
  }

  private func isFirstWanted(_ provider: any ImageProvider) -> Bool {
    lineup.passedOver.isEmpty && provider.id == lineup.first.id
  }

  private func refusal(of provider: any ImageProvider, for request: ImageRequest) async -> AtelierError? {
    let fitting = request.fitting(provider, isFirst: false)
    if let refusal = await monitor.refusal(of: provider, for: fitting) { return refusal }
    do throws(AtelierError) {
      try provider.check(fitting)
      return nil
    } catch {
      return error
    }
  }

  private func ask(
    _ provider: any ImageProvider, _ request: ImageRequest, report: @escaping Report
  ) async throws(Failure) -> ProviderImage {
    var attempts = Attempts(policy: policy)
    while true {
      let failure: AtelierError
      do {
        let image = try await attempt(provider, request, report: report)
        await monitor.noteSuccess(of: provider, for: request)
        return image
      } catch is CancellationError {
        throw .cancelled
      } catch {
        failure = AtelierError(wrapping: error)
      }
      if Task.isCancelled { throw .cancelled }
      let told = await monitor.note(failure, of: provider, for: request)
      switch attempts.next(after: failure, remainingMs: deadline.remainingMs, random: surroundings.random()) {
      case .retry(let pause):
        await report(
          ImageProgress(phase: .processing, message: "\(provider.profile.title) is busy; trying again shortly…"))
        guard (try? await surroundings.sleep(.milliseconds(pause))) != nil else { throw .cancelled }
      case .passOn: throw .passOn(told)
      case .giveUp: throw .final(told)
      }
    }
  }

  /// One attempt; the provider reports progress from any thread, and it is passed on in order.
  private func attempt(
    _ provider: any ImageProvider, _ request: ImageRequest, report: @escaping Report
  ) async throws -> ProviderImage {
    var request = request
    // The generation's own deadline ends the attempt; the provider's timeout is only a safeguard.
    request.timeoutMs = deadline.remainingMs + 1000
    let asked = request
    let (updates, updating) = AsyncStream<ImageProgress>.makeStream(bufferingPolicy: .bufferingNewest(1))
    async let forwarding: Void = {
      for await update in updates { await report(update) }
    }()
    let outcome: Result<ProviderImage, any Error>
    let attempt = provider.profile.isLocal ? nil : SendingRecord.Try(sending)
    do {
      try Task.checkCancellation()
      let image = try await provider.makeImage(asked) { progress in
        attempt?.isBeingSent()
        updating.yield(progress)
      }
      outcome = .success(image)
      attempt?.end(with: nil)
    } catch {
      outcome = .failure(error)
      attempt?.end(with: error)
    }
    updating.finish()
    await forwarding
    return try outcome.get()
  }
}

extension AtelierError {
  /// The same error with the failures of the other providers in its details.
  fileprivate func followed(by others: [AtelierError]) -> AtelierError {
    guard !others.isEmpty else { return self }
    var error = self
    error.details["otherProviders"] = .array(
      others.map {
        .object([
          "provider": .string($0.provider?.rawValue ?? ""), "kind": .string($0.kind.rawValue),
          "message": .string($0.message),
        ])
      })
    return error
  }
}

/// The attempts at one picture with one provider, as a value: given a failure, it returns the next step.
struct Attempts: Sendable {
  /// The step after a failed attempt.
  enum Next: Sendable, Equatable {
    case retry(afterMs: Int)
    /// Another provider may succeed.
    case passOn
    case giveUp
  }

  let policy: RecipePolicy
  private(set) var retriesMade = 0

  init(policy: RecipePolicy) {
    self.policy = policy
  }

  /// - Parameters:
  ///   - remainingMs: how much of the generation's time is left; a pause that would use it up is skipped.
  ///   - random: spreads the retries of many clients over time.
  mutating func next(after error: AtelierError, remainingMs: Int, random: UInt64) -> Next {
    if error.isRefusalForTheMoment, retriesMade < policy.retries {
      let pause = pauseMs(askedFor: error.retryAfterMs, random: random)
      if pause < remainingMs {
        retriesMade += 1
        return .retry(afterMs: pause)
      }
    }
    return error.isCurableByAnotherProvider ? .passOn : .giveUp
  }

  /// Doubles each time; never shorter than what the provider asked for, and up to half as long again by chance.
  private func pauseMs(askedFor: Int?, random: UInt64) -> Int {
    var backoff = max(1, policy.backoffMs)
    for _ in 0..<retriesMade where backoff < policy.maximumBackoffMs { backoff *= 2 }
    let least = max(min(backoff, policy.maximumBackoffMs), askedFor ?? 0)
    return least + Int(random % UInt64(max(1, min(least, policy.maximumBackoffMs) / 2)))
  }
}

extension AtelierError {
  /// Whether the provider was asked too often or is overloaded and says so before doing any work: sending the same
  /// again costs nothing.
  var isRefusalForTheMoment: Bool {
    (kind == .rateLimited || kind == .providerUnavailable) && isRetryable
  }

  /// Whether another provider may succeed with the same request. A faulty request, or one that safety rules refuse,
  /// fails everywhere.
  var isCurableByAnotherProvider: Bool {
    switch kind {
    case .noApiKey, .invalidApiKey, .unsupportedByProvider, .rateLimited, .coolingDown, .quotaExhausted,
      .providerError, .providerUnavailable, .offline, .providerTimeout, .providerDenied:
      true
    default: false
    }
  }
}
