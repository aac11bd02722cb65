import AtelierProtocol
import Support
import Testing

@testable import Engine

@Suite("What follows a provider's failure")
struct AttemptsTests {
  private static let patient = RecipePolicy(retries: 3, backoffMs: 1000, maximumBackoffMs: 30_000)

  private static func error(_ kind: ErrorKind, after milliseconds: Int? = nil) -> AtelierError {
    AtelierError(kind, retryAfterMs: milliseconds, provider: "gemini")
  }

  @Test("the next step after a failure is decided by its kind when nothing is sent again", arguments: ErrorKind.allCases)
  func byKind(kind: ErrorKind) {
    let curable: Set<ErrorKind> = [
      .noApiKey, .invalidApiKey, .unsupportedByProvider, .rateLimited, .coolingDown, .quotaExhausted, .providerError,
      .providerUnavailable, .offline, .providerTimeout, .providerDenied,
    ]
    var attempts = Attempts(policy: RecipePolicy(retries: 0))
    let next = attempts.next(after: Self.error(kind), remainingMs: 60_000, random: 0)
    #expect(next == (curable.contains(kind) ? .passOn : .giveUp))
  }

  @Test("a retry follows only a refusal for the moment", arguments: ErrorKind.allCases)
  func retries(kind: ErrorKind) {
    var attempts = Attempts(policy: Self.patient)
    let next = attempts.next(after: Self.error(kind), remainingMs: 60_000, random: 0)
    #expect((next == .retry(afterMs: 1000)) == [.rateLimited, .providerUnavailable].contains(kind))
  }

  @Test(
    "no retry follows where what was sent may have been charged", arguments: [ErrorKind.rateLimited, .providerUnavailable])
  func charged(kind: ErrorKind) {
    var error = Self.error(kind)
    error.details["mayHaveBeenCharged"] = true
    var attempts = Attempts(policy: Self.patient)
    #expect(attempts.next(after: error, remainingMs: 60_000, random: 0) == .passOn)
  }

  @Test("a retry waits twice as long each time, and gives way after the third")
  func backoff() {
    var attempts = Attempts(policy: Self.patient)
    let nexts = (0..<4).map { _ in
      attempts.next(after: Self.error(.providerUnavailable), remainingMs: 60_000, random: 0)
    }
    #expect(nexts == [.retry(afterMs: 1000), .retry(afterMs: 2000), .retry(afterMs: 4000), .passOn])
  }

  @Test("a retry honours the server's delay, and does not wait longer than the time that is left")
  func serverDelay() {
    var attempts = Attempts(policy: Self.patient)
    #expect(
      attempts.next(after: Self.error(.rateLimited, after: 26_000), remainingMs: 60_000, random: 0)
        == .retry(afterMs: 26_000))
    #expect(attempts.next(after: Self.error(.rateLimited, after: 45_838), remainingMs: 34_000, random: 0) == .passOn)
  }

  @Test(
    "a retry never waits less than the policy and the server say, nor half as long again",
    arguments: 0..<100 as Range<UInt64>)
  func jitter(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var attempts = Attempts(policy: RecipePolicy(retries: 10, backoffMs: 700, maximumBackoffMs: 9000))
    var least = 700
    for _ in 0..<10 {
      let asked = Int(random.next() % 20_000)
      let next = attempts.next(after: Self.error(.rateLimited, after: asked), remainingMs: .max, random: random.next())
      guard case .retry(let pause) = next else {
        Issue.record("seed \(seed): \(next)")
        return
      }
      let bound = max(least, asked)
      #expect(pause >= bound && pause <= bound + bound / 2, "seed \(seed): \(pause) for \(bound)")
      least = min(least * 2, 9000)
    }
  }
}
