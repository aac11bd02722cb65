import AtelierProtocol

extension Ledger {
  /// What ``isUpToDate(_:)``, ``bringUpToDate(_:)``, ``tier(of:)`` and the credits of an account are read from.
  static func entry(of account: AccountID) -> [SQLQuery] {
    [
      AccountTable.entry(of: account), AccountTable.balance(of: account), SubscriptionTable.unrefunded(of: account),
      CreditGrantTable.spendable(by: account), CreditGrantTable.shortfall(of: account),
      CreditGrantTable.exists(for: guestSource(of: account)),
      AccountTable.entry(of: DeletedAccount.name(of: account, number: 0)),
    ]
  }

  /// What a guest's credits are granted for: the account may have been deleted and used anew, and has had them then.
  private static func guestSource(of account: AccountID) -> String { "guest:\(DeletedAccount.digest(of: account))" }

  /// The credits that the account is given when it is first used: not again to the name of an account that was deleted,
  /// also if that one was given none.
  func welcomeCredits(of account: AccountID) throws -> Int {
    guard rules.guestCredits > 0, try !session.creditGrants.exists(for: Self.guestSource(of: account)),
      try !session.accounts.isKnown(DeletedAccount.name(of: account, number: 0))
    else { return 0 }
    return rules.guestCredits
  }

  /// Whether something happened to an account of this name that was deleted since: it concerns nobody who has the name now.
  func isOver(_ time: Timestamp, for account: AccountID) throws -> Bool {
    try session.accounts.lastEnd(ofName: account).map { time < $0 } ?? false
  }

  /// Registers the account with a guest's credits, if it is new.
  /// - Parameter welcomes: whether it gets them.
  /// - Returns: these credits; nil when it was known, or gets none.
  /// - Throws: ``LedgerRefusal/unknownAccount(_:)`` for the name of a deleted account, ``LedgerRefusal/merged`` for one that
  ///   was merged into another.
  @discardableResult
  func know(_ account: AccountID, welcomes: Bool = true) throws -> CreditGrant? {
    if try session.accounts.isKnown(account) {
      // A request arrived in the instant of the merge: callers name the account that acts today.
      guard try session.accounts.successor(of: account) == nil else { throw LedgerRefusal.merged }
      return nil
    }
    guard !DeletedAccount.isDeleted(account) else { throw LedgerRefusal.unknownAccount(account) }
    let credits = try welcomes ? welcomeCredits(of: account) : 0
    // Nothing refers to an account that is not there: it has no credits and owes none.
    _ = try available(of: account)
    try session.accounts.insert(account, tier: .guest, created: now)
    return try credits > 0 ? issue(.guest, credits, to: account, for: Self.guestSource(of: account)) : nil
  }

  /// The current tier of the account: that of a guest where it is not known.
  func tier(of account: AccountID) throws -> Tier {
    if try !activeSubscriptions(of: account).isEmpty { return .premium }
    return try session.accounts.tier(of: account) ?? .guest
  }

  /// Makes a guest `free`. An account is granted that tier's credits once, whichever provider vouches for it.
  /// - Returns: the credits granted.
  func becomeFree(_ account: AccountID, for source: String) throws -> Int {
    let hasHad = try session.creditGrants.hasHad(.free, account)
    try session.accounts.setTier(.free, of: account)
    if hasHad { return 0 }
    return try grant(.free, rules.freeCredits, to: account, for: source)?.amount ?? 0
  }

  /// Changes what an operator decides about the account, which is registered and brought up to date, unless the change was
  /// made before: an event that is repeated late makes no account exist that was deleted since.
  /// - Parameters:
  ///   - welcomes: whether an account never seen before gets the credits of a guest.
  ///   - source: identifies the change, which is made only once; nil for none.
  /// - Returns: the credits granted, why they are fewer than the tier gives, and whether the change was made now.
  /// - Throws: ``LedgerRefusal/keyReused(_:)`` when the source was used for another change.
  func apply(
    _ change: AccountChange, to account: AccountID, welcomes: Bool = true, for source: String?
  ) throws -> (granted: Int, reason: ReducedGrant?, isNew: Bool) {
    if let source, try !note(change, to: account, for: source) {
      if try session.accounts.isKnown(account) { try bringUpToDate(account) }
      return (0, change.tier == nil || change.tier == .guest ? nil : .alreadyGranted, false)
    }
    try know(account, welcomes: welcomes)
    try bringUpToDate(account)
    if let isUnlimited = change.isUnlimited { try session.accounts.setUnlimited(isUnlimited, of: account) }
    guard let tier = change.tier else { return (0, nil, true) }
    let (granted, reason) = try set(tier, of: account, from: change.start)
    try bringUpToDate(account)
    return (granted, reason, true)
  }

  /// - Returns: false when the change was made before.
  private func note(_ change: AccountChange, to account: AccountID, for source: String) throws -> Bool {
    guard let earlier = try session.accounts.change(for: source) else {
      try session.accounts.insertChange(change.digest(for: account), for: source, created: now)
      return true
    }
    // It may have been made while the account had another name.
    let names = try session.accounts.merged(into: account) + [account]
    guard names.contains(where: { change.digest(for: $0) == earlier }) else { throw LedgerRefusal.keyReused(.change) }
    return false
  }

  /// Sets the tier that an operator gives the account.
  /// - Parameter start: when the paid period of `premium` began or begins; nil for now.
  /// - Returns: the credits granted, and why they are fewer than the tier gives; nil if they are not.
  @discardableResult
  func set(
    _ tier: Tier, of account: AccountID, from start: Timestamp? = nil
  ) throws -> (granted: Int, reason: ReducedGrant?) {
    let given = try givenSubscriptions(of: account)
    switch tier {
    case .premium: return try becomePremium(account, from: start ?? now, given: given)
    case .guest, .free:
      for subscription in given where subscription.months.ends.map({ $0 > now }) ?? true {
        try session.subscriptions.end(subscription.source, at: now)
      }
      if tier == .free {
        let granted = try becomeFree(account, for: "free:\(DeletedAccount.digest(of: account))")
        return (granted, granted == 0 && rules.freeCredits > 0 ? .alreadyGranted : nil)
      }
      try session.accounts.setTier(.guest, of: account)
      return (0, nil)
    case .owner: throw LedgerRefusal.ownerTier
    }
  }

  /// Gives the account a subscription without an end. A month belongs to a payment: premium that begins again within a
  /// month continues its months, and is granted nothing for the running one.
  private func becomePremium(
    _ account: AccountID, from start: Timestamp, given: [Subscription]
  ) throws -> (granted: Int, reason: ReducedGrant?) {
    for open in given where open.months.ends == nil {
      if open.months.starts <= now { return (0, .monthRunning) }
      if open.months.starts == start { return (0, .notStarted) }
      // It has brought nothing yet, and is replaced by what is known now.
      try session.subscriptions.end(open.source, at: now)
    }
    let source = "\(SubscriptionTable.givenPrefix(of: account)):\(makeIdentifier("sub_"))"
    let starts =
      try anchor(ofGivenMonthAt: start, of: account)
      ?? (start <= now ? anchor(ofGivenMonthAt: now, of: account) : nil) ?? start
    try subscribe(
      account,
      to: Subscription(
        source: source, product: "operator", credits: rules.premiumCredits,
        months: MonthlyPeriods(from: starts, until: nil)))
    // The credits are granted now, whatever the clock says.
    return try grantFirstMonth(of: source, to: account)
  }

  func record(of account: AccountID) throws -> AccountRecord {
    let created = try session.accounts.created(account)
    let providers = try session.accounts.providers(of: account)
    let ends = try activeSubscriptions(of: account).map(\.months.ends)
    return AccountRecord(
      account: account, created: created ?? now, signedInWith: providers,
      premiumUntil: ends.contains(nil) ? nil : ends.compactMap { $0 }.max(), balance: try balance(of: account),
      consent: try session.accounts.consent(of: account))
  }
}

/// What an operator changes of an account.
public struct AccountChange: Sendable, Equatable {
  /// Nil leaves it unchanged; `premium` is a subscription without an end.
  public var tier: Tier?
  /// Whether the limits of the account are lifted; nil leaves this unchanged.
  public var isUnlimited: Bool?
  /// When the paid period of `premium` began or begins; nil for now.
  public var start: Timestamp?

  public init(tier: Tier? = nil, isUnlimited: Bool? = nil, start: Timestamp? = nil) {
    self.tier = tier
    self.isUnlimited = isUnlimited
    self.start = start
  }

  /// Tells apart changes under one key.
  fileprivate func digest(for account: AccountID) -> String {
    let values: SQLValues = [account.rawValue, tier?.rawValue, isUnlimited, start?.milliseconds]
    return LedgerTable.hash(values.values)
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
  /// The version of the terms of use that the person has accepted last; nil for none.
  public var consent: Consent?
}
