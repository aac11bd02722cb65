import AtelierProtocol
import Support
import Testing

@testable import Store

@Suite("What changes read, said before they are made")
struct ForesightTests {
  /// The names of each change, one letter each; a point for a change that foresees nothing.
  static let table: [(changes: [String], parts: [Int])] = [
    ([], []),
    (["a"], [1]),
    (["a", "b", "c"], [3]),
    (["a", "a"], [1, 1]),
    (["ab", "c", "bd", "e"], [2, 2]),
    // What comes later may have what an earlier part has.
    (["a", "b", "a", "b", "a"], [2, 2, 1]),
    (["a", ".", "b", "c", ".", ".", "d"], [1, 1, 2, 1, 1, 1]),
    (["", "", "a"], [3]),
  ]

  @Test("changes ask together as long as none names what another one has named", arguments: table)
  func parts(changes: [String], parts: [Int]) {
    let made = changes.map { names in
      QueuedWrite.Change(
        foresight: names == "." ? nil : Foresight(subjects: Set(names.map { String($0) }), queries: { [] }),
        attempt: { _ in QueuedWrite.Attempt(answer: {}) })
    }
    #expect(Foresight.parts(of: made).map(\.count) == parts)
  }
}

/// On PostgreSQL they ask together; the outcome is the same on both.
@Suite("Requests and ends that arrive together", .timeLimit(.minutes(5)))
struct ConcurrentSettlementTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  /// What callers did with an account, in the order in which the transaction made it.
  private struct Model {
    var available: Int
    var running: [GenerationRow] = []
  }

  @Test("accounts that many callers use at once spend what they have and no more", arguments: 0..<16 as Range<UInt64>)
  func spending(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let store = try await fixture.open()
    let accounts = (0..<Int.random(in: 1...4, using: &random)).map { AccountID(rawValue: "account-\($0)") }
    var models: [AccountID: Model] = [:]
    for account in accounts {
      _ = try await store.grantCredits(8, to: account, because: "a test")
      models[account] = Model(available: try #require(try await store.creditBalance(of: account).available))
    }
    for _ in 0..<6 {
      let step = steps(on: accounts, models, using: &random)
      let outcomes = try await store.together(step.map { change in { try await Self.make(change, in: store) } })
      for (change, outcome) in zip(step, outcomes) {
        try Self.check(change, outcome, &models, seed: seed)
      }
    }
    for (account, model) in models {
      let balance = try await store.creditBalance(of: account)
      #expect(balance.available == model.available && balance.held == model.running.count, "seed \(seed)")
    }
    #expect(try await store.auditLedger().isEmpty, "seed \(seed)")
    await store.close()
  }

  private enum Change: Sendable {
    case accept(Acceptance)
    case note(GenerationRow, sequence: Int64)
    case finish(GenerationRow, charges: Bool)
  }

  private enum Outcome: Sendable {
    case accepted(GenerationRow)
    case refused
    case noted
    case finished(GenerationRow)
  }

  private func steps(
    on accounts: [AccountID], _ models: [AccountID: Model], using random: inout SplitMix64
  ) -> [Change] {
    var running = models.values.flatMap(\.running).shuffled(using: &random)
    return (0..<Int.random(in: 1...12, using: &random)).map { _ in
      if Bool.random(using: &random), let row = running.popLast() {
        let sequence = Int64.random(in: 1...9, using: &random)
        if sequence < 4 { return .note(row, sequence: sequence) }
        return .finish(row, charges: Bool.random(using: &random))
      }
      return .accept(
        fixture.acceptance(accounts.randomElement(using: &random) ?? .owner, metering: Metering(credits: 1, limits: [])))
    }
  }

  private static func make(_ change: Change, in store: Store) async throws -> Outcome {
    switch change {
    case .accept(var acceptance):
      acceptance.begins = true
      do {
        guard case .accepted(let row) = try await store.accept(acceptance) else { throw AtelierError(.internal) }
        return .accepted(row)
      } catch let error as AtelierError where error.kind == .insufficientCredits {
        return .refused
      }
    case .note(let row, let sequence):
      let note = ProgressNote(phase: .processing, message: "", fraction: nil, sequence: sequence)
      guard try await store.note(note, for: row.id) == .goOn else { throw AtelierError(.internal) }
      return .noted
    case .finish(let row, let charges):
      // All of them bring the same file.
      let image = ArtifactSource.staged(try await store.stage([1], mimeType: "image/png"))
      let files = charges ? [GenerationFile(source: image, width: 1, height: 1, credits: 1)] : []
      let settlement = Settlement(id: row.id, state: charges ? .succeeded : .failed, files: files)
      guard case .finished(let row) = try await store.finish(settlement, of: row) else { throw AtelierError(.internal) }
      return .finished(row)
    }
  }

  private static func check(
    _ change: Change, _ result: Result<Outcome, any Error>, _ models: inout [AccountID: Model], seed: UInt64
  ) throws {
    switch (change, try result.get()) {
    case (.accept(let acceptance), .accepted(let row)):
      models[acceptance.account]?.available -= 1
      models[acceptance.account]?.running.append(row)
      #expect(row.credits?.balanceAfter == models[acceptance.account]?.available, "seed \(seed)")
    case (.accept(let acceptance), .refused):
      #expect(models[acceptance.account]?.available == 0, "seed \(seed)")
    case (.note, .noted): break
    case (.finish(let running, let charges), .finished(let row)):
      models[running.account]?.running.removeAll { $0.id == running.id }
      if !charges { models[running.account]?.available += 1 }
      #expect(row.creditsCharged == (charges ? 1 : 0), "seed \(seed)")
      #expect(row.credits?.balanceAfter == models[running.account]?.available, "seed \(seed)")
    default: Issue.record("seed \(seed): \(change) became \(result)")
    }
  }
}
