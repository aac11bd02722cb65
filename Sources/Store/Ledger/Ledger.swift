import AtelierProtocol
import GRDB

/// The credits of all accounts, within one transaction. Every change to credits goes through this type.
///
/// Modelled on two-phase transfers: credits are granted in buckets, held for a generation, then captured or released. A
/// written row never changes; triggers maintain the balances as sums.
///
/// The ledger's time only moves forward: it is the later of the system clock and the last transfer's time. While the
/// system clock is behind, nothing expires, because the later time may be the wrong one. A clock that has jumped ahead
/// is ignored, and nothing expires, until it is trusted: see ``ClockReading``. Rate limits use the system clock alone.
struct Ledger {
  let database: Database
  let rules: CreditRules
  let makeIdentifier: (_ prefix: String) -> String
  /// The ledger's time.
  let now: Timestamp
  /// The time of the system clock.
  let system: Timestamp
  /// Whether the system's clock is far behind the ledger's.
  let isClockBehind: Bool
  /// Whether data that has expired by the system clock may be deleted.
  let mayExpire: Bool
  /// Whether credits may expire and months may begin.
  var mayTurn: Bool { mayExpire && !isClockBehind }

  private let tip: Tip

  /// The last transfer as this transaction sees it: no other process adds one meanwhile.
  private final class Tip {
    var last: Transfer.Last?
    init(_ last: Transfer.Last?) { self.last = last }
  }

  init(
    in database: Database, rules: CreditRules, surroundings: StoreSurroundings
  ) throws {
    self.database = database
    self.rules = rules
    makeIdentifier = surroundings.makeIdentifier
    system = surroundings.now()
    tip = Tip(try Transfer.last(in: database))
    let clock = try ClockReading(in: database, system: system)
    let trusted = clock.trusted ?? system
    // A transfer far ahead of the trusted time was written with a wrong clock: its time is ignored.
    let last = tip.last.map(\.created) ?? trusted
    let seen = clock.trusted != nil && last.isMore(than: ClockReading.mostAhead, after: trusted) ? trusted : max(last, trusted)
    mayExpire = clock.mayExpire
    now = clock.isAhead ? seen : max(system, seen)
    isClockBehind = seen.isMore(than: ClockReading.tolerance, after: system)
  }

  /// The available and the held credits of an account.
  func sums(of account: AccountID) throws -> (available: Int, held: Int) {
    let row = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT available, held FROM account_balance WHERE account = ?"),
      arguments: [account.rawValue])
    guard let row else { return (0, 0) }
    return (try row.value("available"), try row.value("held"))
  }

  /// Writes one transfer of credits.
  func move(
    _ kind: Transfer.Kind, _ amount: Int, of grant: String, account: AccountID, hold: String? = nil,
    reason: String? = nil
  ) throws -> Transfer {
    if isClockBehind { try noteClock() }
    let before = try sums(of: account).available
    let transfer = Transfer(
      seq: (tip.last?.seq ?? 0) + 1, kind: kind, account: account, grant: grant, hold: hold, amount: amount,
      availableAfter: before + kind.direction * amount, reason: reason.map(StoredText.readable), created: now,
      previousHash: tip.last?.hash ?? "")
    tip.last = Transfer.Last(seq: transfer.seq, hash: try transfer.insert(into: database), created: now)
    return transfer
  }

  private func noteClock() throws {
    try database.cachedStatement(
      sql: "INSERT INTO clock_jump (seen, system) VALUES (?, ?) ON CONFLICT DO NOTHING"
    ).execute(arguments: [now.milliseconds, system.milliseconds])
  }
}

extension Ledger {
  /// The balance of an account that is known and up to date, with its buckets.
  func balance(of account: AccountID) throws -> CreditBalance {
    let (available, held) = try sums(of: account)
    let tier = try tier(of: account)
    let period = try presentPeriod(of: account)
    let allocation =
      switch tier {
      case .guest: rules.guestCredits
      case .free: rules.freeCredits
      case .premium, .owner: period?.credits ?? 0
      }
    return CreditBalance(
      account: account, tier: tier, unlimited: try isUnlimited(account), available: available, held: held,
      allocation: allocation, buckets: try buckets(of: account), resetAt: period?.next,
      shortfall: try shortfall(of: account))
  }

  /// The current months of all subscriptions, combined.
  /// - Returns: the earliest start, the earliest end, when the next month begins, and the credits granted; nil without
  ///   a subscription.
  func presentPeriod(
    of account: AccountID
  ) throws -> (starts: Timestamp, ends: Timestamp, next: Timestamp?, credits: Int)? {
    let present = try activeSubscriptions(of: account).compactMap { subscription in
      presentMonth(of: subscription).map { (subscription, $0) }
    }
    guard let starts = present.map(\.1.starts).min(), let ends = present.map(\.1.ends).min() else { return nil }
    let next = present.filter { subscription, period in
      subscription.months.ends.map { $0 > period.ends } ?? true
    }.map(\.1.ends).min()
    // Bought plans take the place of each other; what an operator gave adds to them.
    let credits = [true, false].compactMap { isGiven in
      present.filter { $0.0.isGiven == isGiven }.map(\.0.credits).max()
    }
    return (starts, ends, next, credits.reduce(0, +))
  }

  private func buckets(of account: AccountID) throws -> [CreditBalance.Bucket] {
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT id, kind, amount, available, held, created, expires
          FROM credit_grant JOIN grant_balance ON grant_id = id
          WHERE account = ? AND available + held > 0 ORDER BY priority, expires IS NULL, expires, created, id
          """),
      arguments: [account.rawValue])
    return try rows.map { row in
      CreditBalance.Bucket(
        id: try row.value("id"), kind: try row.coded("kind"), amount: try row.value("amount"),
        available: try row.value("available"), held: try row.value("held"),
        createdAt: Timestamp(milliseconds: try row.value("created")), expiresAt: try row.time("expires"))
    }
  }
}

/// The number of credits for each kind of grant, as configured by the operator.
public struct CreditRules: Sendable, Equatable {
  /// Granted to an account when it is first seen.
  public var guestCredits: Int
  /// Granted when an identity first signs in.
  public var freeCredits: Int
  /// Granted per month of premium that an operator gave; bought premium grants what its product specifies.
  public var premiumCredits: Int
  /// How long credits that came back after their expiry may be spent, in milliseconds.
  public var makegoodLifetimeMs: Int64

  public init(
    guestCredits: Int = 1, freeCredits: Int = 4, premiumCredits: Int = 168,
    makegoodLifetimeMs: Int64 = 7 * 86_400_000
  ) {
    self.guestCredits = guestCredits
    self.freeCredits = freeCredits
    self.premiumCredits = premiumCredits
    self.makegoodLifetimeMs = makegoodLifetimeMs
  }
}
