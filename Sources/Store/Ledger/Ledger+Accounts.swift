import AtelierProtocol
import GRDB

extension Ledger {
  /// Registers the account with a guest's credits, if it is new.
  func know(_ account: AccountID) throws {
    if try isKnown(account) { return }
    try LedgerTable.accounts.insert([account.rawValue, "guest", false, now.milliseconds], into: database)
    try grant(.guest, rules.guestCredits, to: account, for: "guest:\(account.rawValue)")
  }

  func isKnown(_ account: AccountID) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(sql: "SELECT 1 FROM account WHERE id = ?"), arguments: [account.rawValue]) ?? false
  }

  /// The current tier of the account; call ``know(_:)`` first.
  func tier(of account: AccountID) throws -> Tier {
    if try !activeSubscriptions(of: account).isEmpty { return .premium }
    let tier = try String.fetchOne(
      database.cachedStatement(sql: "SELECT tier FROM account WHERE id = ?"), arguments: [account.rawValue])
    guard let tier = tier.flatMap(Tier.init(rawValue:)) else { throw UnreadableColumn(name: "tier") }
    return tier
  }

  func isUnlimited(_ account: AccountID) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(sql: "SELECT is_unlimited FROM account WHERE id = ?"), arguments: [account.rawValue])
      ?? false
  }

  /// Binds an identity to the account, unless it is already bound.
  /// - Returns: the account that has the identity, whether the identity was new, and the credits granted for it.
  func signIn(_ identity: Identity, as account: AccountID) throws -> (account: AccountID, isNew: Bool, granted: Int) {
    let key = Self.key(of: identity)
    let holder = try String.fetchOne(
      database.cachedStatement(sql: "SELECT account FROM account_identity WHERE identity = ?"), arguments: [key])
    if let holder { return (AccountID(rawValue: holder), false, 0) }
    try know(account)
    try LedgerTable.identities.insert(
      [key, identity.provider, account.rawValue, now.milliseconds], into: database)
    return (account, true, try becomeFree(account, for: "free:\(key)"))
  }

  /// Makes a guest `free`. An account is granted that tier's credits once, whichever provider vouches for it.
  /// - Returns: the credits granted.
  func becomeFree(_ account: AccountID, for source: String) throws -> Int {
    try change("tier", to: "free", of: account)
    let hasHad = try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM credit_grant WHERE account = ? AND kind = 'free')",
      arguments: [account.rawValue])
    if hasHad == true { return 0 }
    return try grant(.free, rules.freeCredits, to: account, for: source)?.amount ?? 0
  }

  /// Sets the tier that an operator gives the account.
  func set(_ tier: Tier, of account: AccountID) throws {
    let given = "operator:\(account.rawValue)"
    let running = try activeSubscriptions(of: account).filter { $0.source.hasPrefix(given) }
    switch tier {
    case .premium:
      if !running.isEmpty { return }
      try subscribe(
        account, to: "operator", credits: rules.premiumCredits, from: now, until: nil,
        source: "\(given):\(makeIdentifier("sub_"))")
      // The credits are granted now, whatever the clock says.
      try grantPeriods(to: account)
    case .guest, .free:
      for subscription in running { try endSubscription(subscription.source) }
      if tier == .guest { return try change("tier", to: "guest", of: account) }
      _ = try becomeFree(account, for: "free:\(account.rawValue)")
    case .owner:
      throw AtelierError(.permissionDenied, "Only the machine's own account has the tier owner. Choose guest, free or premium.")
    }
  }

  func record(of account: AccountID) throws -> AccountRecord {
    let created = try Int64.fetchOne(
      database, sql: "SELECT created FROM account WHERE id = ?", arguments: [account.rawValue])
    let providers = try String.fetchAll(
      database, sql: "SELECT provider FROM account_identity WHERE account = ? ORDER BY created, identity",
      arguments: [account.rawValue])
    let ends = try activeSubscriptions(of: account).map(\.months.ends)
    return AccountRecord(
      account: account, created: Timestamp(milliseconds: created ?? now.milliseconds), signedInWith: providers,
      premiumUntil: ends.contains(nil) ? nil : ends.compactMap { $0 }.max(), balance: try balance(of: account))
  }

  /// Changes a column of the account that an operator may change.
  func change(_ column: String, to value: some DatabaseValueConvertible, of account: AccountID) throws {
    try database.execute(
      sql: "UPDATE account SET \(column) = ? WHERE id = ?", arguments: [value, account.rawValue])
    try LedgerTable.accounts.rehash(account.rawValue, in: database)
  }

  /// The key of an identity: the identity itself is not stored.
  private static func key(of identity: Identity) -> String {
    LedgerTable.hash([identity.provider.databaseValue, identity.subject.databaseValue])
  }
}

/// What the service knows about an account.
public struct AccountRecord: Sendable, Equatable {
  public var account: AccountID
  /// When it was first seen.
  public var created: Timestamp
  /// The identity providers that the person signed in with, such as `apple`, in the order of signing in.
  public var signedInWith: [String]
  /// When its subscriptions end unless they renew; nil without a subscription, and for one without an end.
  public var premiumUntil: Timestamp?
  public var balance: CreditBalance
}
