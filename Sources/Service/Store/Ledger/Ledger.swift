import AtelierProtocol

/// The credits of all accounts, within one transaction. Every change to credits goes through this type.
///
/// Modelled on two-phase transfers: credits are granted in buckets, held for a generation, then captured or released. A
/// written row never changes; triggers maintain the balances as sums.
///
/// The ledger's time only moves forward: it is the later of the system clock and the last transfer's time. While the
/// system clock is behind, nothing expires, because the later time may be the wrong one. A clock that has jumped ahead
/// is ignored, and nothing expires, until it is trusted: see ``ClockReading``. Rate limits use the system clock alone.
struct Ledger {
  let session: any SQLSession
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
  var mayExpireCredits: Bool { mayExpire && !isClockBehind }

  private let tail: Tail

  /// What the next transfer builds on, as this transaction sees it: no other process adds one meanwhile.
  private final class Tail {
    var last: CreditTransfer.Last?
    var hasMoved = false
    /// The available credits of each account that was looked at.
    var available: [AccountID: Int] = [:]
    /// What each account owes of which a hold ends.
    var shortfalls: [AccountID: Int] = [:]

    init(_ last: CreditTransfer.Last?) { self.last = last }
  }

  /// - Parameter system: the time of the system clock; nil for now.
  init(
    in session: any SQLSession, rules: CreditRules, surroundings: StoreSurroundings, at system: Timestamp? = nil
  ) throws {
    self.session = session
    self.rules = rules
    makeIdentifier = surroundings.makeIdentifier
    let system = system ?? surroundings.now()
    self.system = system
    try session.prefetch(Self.beginning)
    tail = Tail(try session.transfers.last())
    let clock = try ClockReading(in: session, system: system)
    let trusted = clock.trusted ?? system
    // A transfer far ahead of the trusted time was written with a wrong clock: its time is ignored.
    let last = tail.last.map(\.created) ?? trusted
    let isFarAhead = clock.trusted != nil && last.isMore(than: ClockReading.mostAhead, after: trusted)
    let seen = isFarAhead ? trusted : max(last, trusted)
    mayExpire = clock.mayExpire
    now = clock.isAhead ? seen : max(system, seen)
    isClockBehind = seen.isMore(than: ClockReading.tolerance, after: system)
  }

  /// What every use of the ledger reads first.
  static let beginning = [TransferTable.last, ClockTable.record]

  /// Whether anything was transferred with this value.
  var hasMoved: Bool { tail.hasMoved }

  /// The available and the held credits of an account.
  func sums(of account: AccountID) throws -> (available: Int, held: Int) {
    let sums = try session.accounts.balance(of: account) ?? (0, 0)
    tail.available[account] = sums.available
    return sums
  }

  /// The available credits of an account, which are read only once.
  func available(of account: AccountID) throws -> Int {
    try tail.available[account] ?? sums(of: account).available
  }

  /// What an account owes, which is read only once and then changed by what is moved: see ``owe(_:of:)``.
  func shortfall(of account: AccountID) throws -> Int {
    if let known = tail.shortfalls[account] { return known }
    let shortfall = try session.creditGrants.shortfall(of: account)
    tail.shortfalls[account] = shortfall
    return shortfall
  }

  /// Notes that an account owes so many credits more from here on.
  func owe(_ amount: Int, of account: AccountID) { tail.shortfalls[account]? += amount }

  /// Lets what an account owes be read again.
  func forgetShortfall(of account: AccountID) { tail.shortfalls[account] = nil }

  /// Writes one transfer of credits.
  func move(
    _ kind: CreditTransfer.Kind, _ amount: Int, of grant: String, account: AccountID, hold: String? = nil,
    reason: String? = nil
  ) throws -> CreditTransfer {
    let before = try available(of: account)
    if isClockBehind { try session.clock.insertJump(seen: now, system: system) }
    let transfer = CreditTransfer(
      seq: (tail.last?.seq ?? 0) + 1, kind: kind, account: account, grant: grant, hold: hold, amount: amount,
      availableAfter: before + kind.direction * amount, reason: reason.map(StoredText.readable), created: now,
      previousHash: tail.last?.hash ?? "")
    tail.last = CreditTransfer.Last(seq: transfer.seq, hash: try session.transfers.insert(transfer), created: now)
    tail.available[account] = transfer.availableAfter
    tail.hasMoved = true
    return transfer
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
      account: account, tier: tier, unlimited: try session.accounts.isUnlimited(account), available: available,
      held: held, allocation: allocation, buckets: try session.creditGrants.buckets(of: account), resetAt: period?.next,
      shortfall: try session.creditGrants.shortfall(of: account))
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
}
