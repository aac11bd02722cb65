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
