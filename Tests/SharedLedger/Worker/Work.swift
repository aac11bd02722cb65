import AtelierProtocol
import Foundation
import Store

/// What the callers of one process do.
struct Work: Sendable {
  let store: Store
  let steps: StepCount

  /// Few, so that processes meet.
  private static let accounts = 4
  /// Its requests may only run one after the other.
  private static let limited: AccountID = "limited"

  func run(seed: UInt64) async {
    var random = Random(state: seed)
    while await steps.take() {
      do {
        try await step(using: &random)
      } catch let error as AtelierError {
        LedgerWorker.say("error \(error.kind.rawValue)")
        // While the server is away, every call fails at once.
        if error.retryable == true { try? await Task.sleep(for: .milliseconds(20)) }
      } catch {
        LedgerWorker.say("error \(error)")
      }
    }
  }

  private func step(using random: inout Random) async throws {
    switch random.next() % 16 {
    case 0: try await grant(using: &random)
    case 1...3: try await claim(using: &random)
    default: try await generate(using: &random)
    }
  }

  private func account(using random: inout Random) -> AccountID {
    let number = Int(random.next() % UInt64(Self.accounts + 1))
    return number == Self.accounts ? Self.limited : AccountID(rawValue: "account-\(number)")
  }

  /// The same source may come from several processes: it is granted once.
  private func grant(using random: inout Random) async throws {
    let account = account(using: &random)
    let number = random.next() % 500
    let source = "gift-\(account.rawValue)-\(number)"
    // Credits run out now and then, but a million steps go on.
    let amount = number % 64 == 0 ? 40_000 : 20
    _ = try await store.grantCredits(amount, to: account, because: "a gift", source: source)
    LedgerWorker.say("granted \(source)")
  }

  private func generate(using random: inout Random) async throws {
    let account = account(using: &random)
    // What waits in the queue is not counted as running.
    let isRepeatable = account != Self.limited && random.next() % 4 == 0
    let limits = account == Self.limited ? [UsageLimit(.concurrent, limit: 1)] : []
    var acceptance = Acceptance(
      id: GenerationID(rawValue: "gen_" + String(random.next(), radix: 36)), account: account, recipe: .places,
      request: ["recipe": "places", "query": "lighthouses"], prompt: "lighthouses",
      paramsHash: [UInt8](repeating: 7, count: 32), timeLimitMs: 120_000,
      idempotencyKey: "key-\(random.next() % 100_000)", provider: .gemini,
      isDetached: isRepeatable, isRequeueable: isRepeatable,
      metering: Metering(credits: 1 + Int(random.next() % 3), limits: limits))
    acceptance.begins = !isRepeatable || random.next() % 2 == 0
    guard case .accepted(let row) = try await store.accept(acceptance) else { return }
    LedgerWorker.say("accepted \(row.id.rawValue)")
    guard acceptance.begins else { return _ = try await store.release([row.id]) }
    try await finish(row, using: &random)
  }

  private func claim(using random: inout Random) async throws {
    guard let row = try await store.claimNext(for: .gemini, includingUnclaimed: true) else { return }
    try await finish(row, using: &random)
  }

  private func finish(_ row: GenerationRow, using random: inout Random) async throws {
    if random.next() % 3 == 0 {
      let note = ProgressNote(phase: .processing, message: "", sequence: 5)
      guard try await store.note(note, for: row.id) == .goOn else { return }
    }
    let credits = Int(random.next() % 4)
    let settlement =
      random.next() % 4 == 0
      ? Settlement(id: row.id, state: .failed, error: AtelierError(.providerUnavailable))
      : Settlement(
        id: row.id, state: .succeeded,
        places: DeliveredPlaces(places: [], dropped: DroppedPlaces(count: 0, names: []), credits: credits),
        provider: .gemini)
    guard case .finished(let finished) = try await store.finish(settlement, of: row) else { return }
    LedgerWorker.say("finished \(row.id.rawValue) \(finished.state.rawValue) \(finished.creditsCharged)")
  }

  /// Takes over what dead processes have left, as a service does.
  func recover(every pause: Duration) async {
    while await !steps.isOver {
      if (try? await store.recover()) == nil { LedgerWorker.say("error recovery") }
      try? await Task.sleep(for: pause)
    }
  }
}

/// SplitMix64, so that a seed makes the same choices again.
struct Random {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
