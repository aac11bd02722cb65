import AtelierProtocol

/// The attempts at one answer of one provider, as a value: given a failure, it returns the next step.
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
    return error.kind.consequences.isPassedOn ? .passOn : .giveUp
  }

  /// Doubles each time; never shorter than what the provider asked for, and up to half as long again by chance.
  private func pauseMs(askedFor: Int?, random: UInt64) -> Int {
    var backoff = max(1, policy.backoffMs)
    for _ in 0..<retriesMade where backoff < policy.maximumBackoffMs { backoff *= 2 }
    let least = max(min(backoff, policy.maximumBackoffMs), askedFor ?? 0)
    return least + Int(random % UInt64(max(1, min(least, policy.maximumBackoffMs) / 2)))
  }
}
