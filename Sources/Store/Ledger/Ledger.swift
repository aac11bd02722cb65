import AtelierProtocol
import GRDB

/// The credits of all accounts, within one transaction: every change to them goes through here.
///
/// Modelled on two-phase transfers: credits are granted in buckets, held for a generation, then captured or released. A
/// row once written never changes; balances are sums that triggers keep.
///
/// Time only moves forward here: it is the later of the system's and the last transfer's. While the system's clock is
/// behind that, nothing expires, for the later time may have been the wrong one. A clock that has jumped ahead is not
/// followed, and nothing expires, until it is trusted: see ``ClockReading``. Limits on how often go by the system's
/// clock alone.
struct Ledger {
  let database: Database
  let rules: CreditRules
  let makeIdentifier: (_ prefix: String) -> String
  /// The ledger's time.
  let now: Timestamp
  /// What the system's clock says.
  let system: Timestamp
  /// Whether the system's clock is far behind the ledger's.
  let isClockBehind: Bool
  /// Whether what is over by the system's clock may be deleted.
  let mayExpire: Bool
  /// Whether credits may expire and months may begin.
  var mayTurn: Bool { mayExpire && !isClockBehind }

  private let tip: Tip

  /// The last transfer, as this transaction sees it: nobody else adds to it meanwhile.
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
    // A transfer from far ahead of what is known was written by a clock that was wrong: its time is not gone by.
    let last = tip.last.map(\.created) ?? trusted
    let seen = clock.trusted != nil && last.isMore(than: ClockReading.mostAhead, after: trusted) ? trusted : max(last, trusted)
    mayExpire = clock.mayExpire
    now = clock.isAhead ? seen : max(system, seen)
    isClockBehind = seen.isMore(than: ClockReading.tolerance, after: system)
  }

  /// What an account can spend, and what is set aside.
  func sums(of account: AccountID) throws -> (available: Int, held: Int) {
    let row = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT available, held FROM account_balance WHERE account = ?"),
      arguments: [account.rawValue])
    guard let row else { return (0, 0) }
    return (try row.value("available"), try row.value("held"))
  }

  /// Writes one movement of credits.
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
  /// What an account that is known and up to date has to spend, and from where.
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

  /// The months that run now, taken together.
  /// - Returns: when they began, when the next begins, and what they brought; nil without a subscription.
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
    return (starts, ends, next, present.reduce(0) { $0 + $1.0.credits })
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

/// How many credits come with what, as the operator configures it (REQUIREMENTS 6.2).
public struct CreditRules: Sendable, Equatable {
  /// What an account is given when it is first seen.
  public var guestCredits: Int
  /// What an identity is given when it first signs in.
  public var freeCredits: Int
  /// What a month of premium brings that an operator gave; a bought one brings what its product says.
  public var premiumCredits: Int
  /// How long credits may be spent that came back after their time was over, in milliseconds.
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
