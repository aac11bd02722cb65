import AtelierProtocol
import Testing

@testable import Store

/// LEDGER rule 1: buckets burn by priority, then by expiry, then by age.
@Suite("The order in which credits are spent")
struct SpendingOrderTests {
  let fixture: LedgerFixture
  private let anna: AccountID = "anna"
  private static let day: Int64 = 86_400_000

  init() throws {
    fixture = try LedgerFixture()
    // Without the guest's credit, so that only what a test gives is there.
    _ = try fixture.balance(of: anna)
    // Nothing is bought here, whatever the kind of credits.
    try fixture.tables.write { session in
      guard TestDatabase.isUsed else { return }
      try session.becomeOwner()
      try session.run("ALTER TABLE credit_grant DISABLE TRIGGER credit_grant_has_cause")
    }
    try fixture.take(1, from: anna)
  }

  /// Credits of one kind.
  struct Bucket: Sendable {
    var kind: CreditKind
    /// In days from the beginning; nil for never.
    var expires: Int64?
  }

  struct Pair: Sendable, CustomTestStringConvertible {
    var first: Bucket
    var second: Bucket
    var testDescription: String { "\(first.kind) \(first.expires ?? 0) before \(second.kind) \(second.expires ?? 0)" }
  }

  /// The second of each pair would be first by the rules that come after the one that decides.
  static let byPriority: [Pair] = {
    let ranks: [[CreditKind]] = [[.period, .makegood], [.guest, .free], [.bundle, .operator]]
    return [(0, 1), (0, 2), (1, 2)].flatMap { earlier, later in
      ranks[earlier].flatMap { first in
        ranks[later].map { Pair(first: Bucket(kind: first, expires: nil), second: Bucket(kind: $0, expires: 1)) }
      }
    }
  }()

  static let byExpiry: [Pair] = [
    (CreditKind.period, CreditKind.period), (.period, .makegood), (.makegood, .period), (.guest, .free),
    (.free, .guest), (.bundle, .operator), (.operator, .bundle),
  ].flatMap { first, second in
    [20, nil].map { Pair(first: Bucket(kind: first, expires: 10), second: Bucket(kind: second, expires: $0)) }
  }

  @discardableResult
  private func give(_ bucket: Bucket) throws -> String {
    let begin = fixture.system
    fixture.system += 1
    let grant = try fixture.write { ledger in
      try ledger.grant(
        bucket.kind, 3, to: anna, for: "test:\(begin)",
        until: bucket.expires.map { Timestamp(milliseconds: begin + $0 * Self.day) })
    }
    return try #require(grant).id
  }

  /// What is left of each bucket, by its id.
  private func left() throws -> [String: Int] {
    Dictionary(uniqueKeysWithValues: try fixture.balance(of: anna).buckets.map { ($0.id, $0.available) })
  }

  private func hold(_ amount: Int) throws {
    try fixture.begin("gen_1", of: anna)
    try fixture.write(of: anna) { try $0.hold(amount, for: "gen_1", of: anna) }
  }

  @Test(
    "the order of spending is that of priority, then of expiry, whichever came first",
    arguments: byPriority + byExpiry, [false, true])
  func order(pair: Pair, isReversed: Bool) throws {
    let (first, second): (String, String)
    if isReversed {
      second = try give(pair.second)
      first = try give(pair.first)
    } else {
      first = try give(pair.first)
      second = try give(pair.second)
    }
    #expect(try fixture.balance(of: anna).buckets.map(\.id) == [first, second])
    try hold(2)
    #expect(try left() == [first: 1, second: 3])
  }

  @Test("the order of spending is that of age among those that expire together", arguments: [nil, 10] as [Int64?])
  func age(expires: Int64?) throws {
    let ends = expires.map { Timestamp(milliseconds: fixture.system + $0 * Self.day) }
    var grants: [String] = []
    for (number, kind) in [CreditKind.operator, .bundle, .operator].enumerated() {
      fixture.system += 1
      let grant = try fixture.write { try $0.grant(kind, 3, to: anna, for: "test:\(number)", until: ends) }
      grants.append(try #require(grant).id)
    }
    #expect(try fixture.balance(of: anna).buckets.map(\.id) == grants)
    try hold(5)
    let rest = try left()
    #expect(grants.map { rest[$0] } == [0, 1, 3])
  }

  @Test("the order of spending is the same for what is taken back, and for what is captured of several buckets")
  func otherWays() throws {
    let last = try give(Bucket(kind: .bundle, expires: nil))
    let middle = try give(Bucket(kind: .free, expires: nil))
    let first = try give(Bucket(kind: .period, expires: 10))
    try fixture.take(1, from: anna)
    #expect(try left() == [first: 2, middle: 3, last: 3])
    try hold(6)
    try fixture.write { ledger in
      #expect(try ledger.endHold(for: "gen_1", capturing: 3, because: "test") == 3)
      try fixture.end("gen_1", charged: 3, in: ledger.session)
    }
    // Two of the first and one of the second are spent; what was held beyond comes back to where it was taken from.
    #expect(try left() == [middle: 2, last: 3])
  }
}
