import AtelierProtocol
import Store

/// What is known of the store and of the providers' pauses, which are on record there.
///
/// A server or a disk may take questions and never answer. One question is under way at a time; whoever asks waits for it
/// for a short time, counted from when it was asked, and is then told what was known last, and how old that is.
actor HealthMemory {
  struct Health: Sendable {
    var store: ServiceStatus.StoreHealth
    var providers: [ProviderStatus]
  }

  /// The longest that a question may go unanswered before what is in memory has to do, in milliseconds.
  static let longestMs: Int64 = 2_000

  private let surroundings: Surroundings
  private var known: (health: Health, atMs: Int64)?
  /// The question that is under way. Two may be asked in the same millisecond: the number tells them apart.
  private var question: (number: Int, askedAtMs: Int64)?
  private var lastQuestion = 0
  private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
  private var lastNumber = 0

  init(_ surroundings: Surroundings) { self.surroundings = surroundings }

  /// - Parameters:
  ///   - ask: asks the store; called unless it is being asked already.
  ///   - unknown: what is said before the store has ever answered.
  func health(asking ask: @escaping @Sendable () async -> Health, orElse unknown: Health) async -> Health {
    let now = surroundings.uptimeMs()
    let asked = question ?? begin(ask, at: now)
    await wait(milliseconds: Self.longestMs - (now - asked.askedAtMs))
    // Another question may be under way by now; the one that was waited for is answered unless it is still the same.
    if question?.number != asked.number, let known { return known.health }
    return silent(since: asked.askedAtMs, known?.health ?? unknown)
  }

  private func begin(
    _ ask: @escaping @Sendable () async -> Health, at now: Int64
  ) -> (number: Int, askedAtMs: Int64) {
    lastQuestion += 1
    let begun = (number: lastQuestion, askedAtMs: now)
    question = begun
    Task { answered(await ask()) }
    return begun
  }

  private func answered(_ health: Health) {
    known = (health, surroundings.uptimeMs())
    question = nil
    let waiting = waiting.values
    self.waiting = [:]
    for one in waiting { one.resume() }
  }

  private func wait(milliseconds: Int64) async {
    guard milliseconds > 0 else { return }
    lastNumber += 1
    let number = lastNumber
    let limit = Task { [surroundings] in
      guard (try? await surroundings.sleep(.milliseconds(milliseconds))) != nil else { return }
      waiting.removeValue(forKey: number)?.resume()
    }
    await withCheckedContinuation { waiting[number] = $0 }
    limit.cancel()
  }

  private func silent(since asked: Int64, _ last: Health) -> Health {
    let now = surroundings.uptimeMs()
    var health = last
    health.store.healthy = false
    let silence: String =
      "The history has not answered for \(max(1, (now - asked) / 1_000)) seconds: its server, its bucket or its disk may be "
      + "out of reach. This is what was known last."
    health.store.problem = silence
    health.store.ageMs = known.map { now - $0.atMs }
    return health
  }
}
