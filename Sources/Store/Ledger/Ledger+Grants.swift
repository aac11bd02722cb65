import AtelierProtocol
import Encodings
import GRDB

/// Credits that were granted together.
struct CreditGrant {
  var id: String
  var amount: Int
}

extension CreditKind {
  /// Credits with the lowest priority are spent first: those that would be lost soonest, then given ones, then bought
  /// ones.
  fileprivate var priority: Int {
    switch self {
    case .period, .makegood: 0
    case .guest, .free: 1
    case .bundle, .operator: 2
    }
  }
}

extension Ledger {
  /// Grants credits, unless they were already granted for the same source.
  /// - Parameters:
  ///   - source: what the credits are granted for.
  ///   - from: when the grant starts, in the ledger's time; its credits can be spent at once in any case.
  ///   - hold: the hold whose credits these replace.
  ///   - pays: whether they pay what the account owes.
  /// - Returns: nil when there is nothing to grant.
  @discardableResult
  func grant(
    _ kind: CreditKind, _ amount: Int, to account: AccountID, for source: String, from effective: Timestamp? = nil,
    until expires: Timestamp? = nil, reason: String? = nil, hold: String? = nil, pays: Bool = true
  ) throws -> CreditGrant? {
    guard amount > 0 else { return nil }
    if try hasGranted(for: source) { return nil }
    let grant = CreditGrant(id: makeIdentifier("grant_"), amount: amount)
    try LedgerTable.grants.insert(
      [
        grant.id, account.rawValue, kind.rawValue, source, amount, kind.priority,
        (effective ?? now).milliseconds, expires?.milliseconds, reason.map(StoredText.readable), now.milliseconds,
      ], into: database)
    _ = try move(.grant, amount, of: grant.id, account: account, hold: hold)
    // Credits that replace those of a hold are not new: they pay no shortfall.
    if pays, hold == nil { try payShortfall(of: account, with: amount, of: grant.id) }
    return grant
  }

  /// Grants an operator's gift.
  /// - Returns: false when it was already granted.
  /// - Throws: `idempotency_mismatch` when the source was used for another amount, account or reason.
  func gift(_ amount: Int, to account: AccountID, for source: String, because reason: String) throws -> Bool {
    let earlier = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT account, amount, reason FROM credit_grant WHERE source_key = ?"),
      arguments: [source])
    guard let earlier else {
      return try grant(.operator, amount, to: account, for: source, reason: reason) != nil
    }
    guard try Self.isSame(earlier, amount, account, reason) else {
      throw AtelierError(
        .idempotencyMismatch,
        "This key was used for a grant of another amount, account or reason. Repeat that one exactly, or choose a new key.")
    }
    return false
  }

  /// Whether an operator gave the credits of a grant, singly or by the month, or those that they replace, as an SQL
  /// expression.
  static let isGift = """
    (credit_grant.kind = 'operator' OR credit_grant.kind IN ('period', 'makegood') AND EXISTS (
      WITH RECURSIVE origin (source) AS (
        SELECT credit_grant.source_key
        UNION ALL
        SELECT original.source_key FROM origin
        CROSS JOIN credit_grant AS original ON original.id = \(replacedGrant(bySource: "source"))
        WHERE source > 'makegood:' AND source < 'makegood;'
      )
      SELECT 1 FROM origin
      WHERE source > 'premium:\(Subscription.givenPrefix)' AND source < 'premium:operator;'))
    """

  /// Whether a repeated request is the one that was recorded.
  static func isSame(_ earlier: Row, _ amount: Int, _ account: AccountID, _ reason: String) throws -> Bool {
    let recorded = try earlier.optional("reason", as: String.self)
    return try AccountID(rawValue: earlier.value("account")) == account && earlier.value("amount") == amount
      && recorded.map { ExactText.areSame($0, StoredText.readable(reason)) } == true
  }

  /// The available credits, in the order in which they are spent.
  func spendable(by account: AccountID) throws -> [(grant: String, available: Int)] {
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT id, available FROM credit_grant JOIN grant_balance ON grant_id = id
          WHERE account = ? AND available > 0 ORDER BY priority, expires IS NULL, expires, created, id
          """),
      arguments: [account.rawValue])
    return try rows.map { (try $0.value("id"), try $0.value("available")) }
  }

  func hasGranted(for source: String) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(sql: "SELECT 1 FROM credit_grant WHERE source_key = ?"), arguments: [source]) ?? false
  }

  /// Whether ``know(_:)`` and ``bringUpToDate(_:)`` have nothing to do.
  func isUpToDate(_ account: AccountID) throws -> Bool {
    guard try isKnown(account) else { return false }
    if !mayTurn { return true }
    return try overdue(of: account).isEmpty && !hasDueMonth(account)
  }

  /// Expires overdue credits and grants due ones. Must be called before credits are held or reported.
  func bringUpToDate(_ account: AccountID) throws {
    guard mayTurn else { return }
    for bucket in try overdue(of: account) {
      _ = try move(.expire, bucket.available, of: bucket.grant, account: account)
    }
    try grantPeriods(to: account)
  }

  /// Available credits whose expiry time has passed.
  private func overdue(of account: AccountID) throws -> [(grant: String, available: Int)] {
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT id, available FROM credit_grant JOIN grant_balance ON grant_id = id
          WHERE account = ? AND expires <= ? AND available > 0 ORDER BY expires, id
          """),
      arguments: [account.rawValue, now.milliseconds])
    return try rows.map { (try $0.value("id"), try $0.value("available")) }
  }
}

/// The months of a subscription. Month n begins n months after the first day, at the same time of day, or on the last
/// day of a month that lacks that day. Each is counted from the first day, so that 31 January is followed by 28
/// February and by 31 March.
struct MonthlyPeriods: Sendable, Equatable {
  /// One month of a subscription.
  struct Period: Sendable, Equatable {
    /// 0 for the first.
    var number: Int
    var starts: Timestamp
    var ends: Timestamp
  }

  /// The start of the first month.
  let starts: Timestamp
  /// The end of the subscription; nil for none.
  let ends: Timestamp?

  init(from starts: Timestamp, until ends: Timestamp?) {
    self.starts = starts
    self.ends = ends
  }

  /// The month that contains `now`; nil before the first and after the end.
  ///
  /// A remainder that is no whole month belongs to the month before it: a store's period may be some days longer than
  /// ours.
  func period(at now: Timestamp) -> Period? {
    guard now >= starts, ends.map({ now < $0 }) ?? true else { return nil }
    // No month has fewer than 28 days: the number is at most this, and not much lower.
    var number = Int((now.milliseconds - starts.milliseconds) / (28 * 86_400_000))
    while number > 0, start(of: number) > now { number -= 1 }
    while number > 0, let ends, start(of: number + 1) > ends { number -= 1 }
    let next = start(of: number + 1)
    guard let ends else { return Period(number: number, starts: start(of: number), ends: next) }
    let isLast = start(of: number + 2) > ends
    return Period(number: number, starts: start(of: number), ends: isLast ? ends : next)
  }

  /// The months that overlap with a time, in their order.
  func periods(from begin: Timestamp, until end: Timestamp) -> [Period] {
    var periods: [Period] = []
    var next = period(at: max(begin, starts))
    while let period = next, period.starts < end {
      periods.append(period)
      next = self.period(at: period.ends)
    }
    return periods
  }

  func start(of number: Int) -> Timestamp { starts.adding(months: number) }
}
