import AtelierProtocol
import Providers

/// Calls to providers on behalf of one generation: retries them as the policy allows, heeds pauses, and records what
/// is sent.
struct ProviderCalls: Sendable {
  let policy: RecipePolicy
  let monitor: ProviderMonitor
  let surroundings: Surroundings
  let deadline: Deadline
  /// Records what is sent.
  let sending: SendingRecord
  /// Makes durable that something is about to be sent. Throws `CancellationError` when the generation has ended.
  var noteSending: @Sendable () async throws -> Void = {}

  typealias Report = @Sendable (ImageProgress) async -> Void
  typealias Call<Answer> = @Sendable (ImageRequest, @escaping @Sendable (ImageProgress) -> Void) async throws -> Answer

  /// How asking a provider failed.
  enum Failure: Error {
    case cancelled
    case passOn(AtelierError)
    case final(AtelierError)
  }

  /// Why a provider cannot be asked now for a request that was made for another; nil when it can.
  func refusal(of provider: any ImageProvider, for request: ImageRequest) async -> AtelierError? {
    let fitting = request.fitting(provider, isFirst: false)
    if let refusal = await monitor.refusal(of: provider, for: fitting) { return refusal }
    do throws(AtelierError) {
      try provider.check(fitting)
      return nil
    } catch {
      return error
    }
  }

  /// Asks a provider once, and again after refusals for the moment, as often as the policy allows.
  /// - Parameters:
  ///   - request: identifies the model, whose pauses apply.
  ///   - call: one attempt. It reports progress from any thread, and first immediately before the first byte is sent.
  func ask<Answer: Sendable>(
    _ provider: any ImageProvider, _ request: ImageRequest, report: @escaping Report,
    _ call: @escaping Call<Answer>
  ) async throws(Failure) -> Answer {
    var attempts = Attempts(policy: policy)
    while true {
      let failure: AtelierError
      if !provider.profile.isLocal { try await prepareSending() }
      let sentAt = surroundings.now()
      do {
        let answer = try await attempt(provider, request, report: report, call)
        await monitor.noteSuccess(of: provider, for: request)
        return answer
      } catch is CancellationError {
        throw .cancelled
      } catch {
        failure = AtelierError(wrapping: error)
      }
      if Task.isCancelled { throw .cancelled }
      let told = await monitor.note(failure, of: provider, for: request, sentAt: sentAt)
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

  /// A failure here proves that nothing was sent.
  private func prepareSending() async throws(Failure) {
    do {
      try await noteSending()
    } catch is CancellationError {
      throw .cancelled
    } catch {
      throw .final(AtelierError(wrapping: error))
    }
  }

  /// One attempt; the provider reports progress from any thread, and it is passed on in order.
  private func attempt<Answer: Sendable>(
    _ provider: any ImageProvider, _ request: ImageRequest, report: @escaping Report, _ call: Call<Answer>
  ) async throws -> Answer {
    var request = request
    // The generation's own deadline ends the attempt; the provider's timeout is only a safeguard.
    request.timeoutMs = deadline.remainingMs + 1000
    let asked = request
    let (updates, updating) = AsyncStream<ImageProgress>.makeStream(bufferingPolicy: .bufferingNewest(1))
    async let forwarding: Void = {
      for await update in updates { await report(update) }
    }()
    let outcome: Result<Answer, any Error>
    let attempt = provider.profile.isLocal ? nil : SendingRecord.Try(sending)
    do {
      try Task.checkCancellation()
      let answer = try await call(asked) { progress in
        attempt?.isBeingSent()
        updating.yield(progress)
      }
      outcome = .success(answer)
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
  /// Whether the provider was asked too often or is overloaded and says so before doing any work: sending the same
  /// again costs nothing. What it says in the place of work that it has begun may have been charged.
  var isRefusalForTheMoment: Bool {
    kind.consequences.isSentAgain && isRetryable && !mayHaveBeenCharged
  }
}
