import AtelierProtocol

/// The attempts at one picture with one provider, as a value: fed with failures, it tells what comes next.
struct Attempts: Sendable {
  /// What follows a failed attempt.
  enum Next: Sendable, Equatable {
    case retry(afterMs: Int)
    /// Another provider may well be able to do it.
    case passOn
    case giveUp
  }

  let policy: RecipePolicy
  private(set) var retriesMade = 0

  init(policy: RecipePolicy) {
    self.policy = policy
  }

  /// - Parameters:
  ///   - remainingMs: how much of the generation's time is left; a pause that would use it up is not made.
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
  /// The provider was asked too often or is overloaded, and says so before doing any work: sending the same again costs
  /// nothing (REQUIREMENTS 5.3).
  var isRefusalForTheMoment: Bool {
    (kind == .rateLimited || kind == .providerUnavailable) && isRetryable
  }

  /// Whether another provider may succeed with the same request. What is wrong with the request itself, and what a
  /// provider's safety rules refuse, is the same everywhere.
  var isCurableByAnotherProvider: Bool {
    switch kind {
    case .noApiKey, .invalidApiKey, .unsupportedByProvider, .rateLimited, .coolingDown, .quotaExhausted,
      .providerError, .providerUnavailable, .offline, .providerTimeout:
      true
    case .permissionDenied: provider != nil
    default: false
    }
  }
}
