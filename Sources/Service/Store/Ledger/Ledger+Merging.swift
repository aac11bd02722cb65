import AtelierProtocol

/// What a sign-in did.
public struct SignInOutcome: Sendable, Equatable {
  /// The account to continue with.
  public var account: AccountID
  /// Whether the identity was new.
  public var isNew: Bool
  /// The credits granted for that.
  public var granted: Int
  /// Whether an account that the person used before, and that had anything, was merged into this one now.
  public var hasMerged: Bool
}

extension Ledger {
  /// Signs a person in who has used an account so far.
  ///
  /// A new identity belongs to that account from here on. Where the identity belongs to another account, that one is used
  /// from here on; a guest's account is merged into it.
  /// - Parameters:
  ///   - isLinking: whether an account with other identities is merged as well: they are the same person's.
  ///   - isConfined: whether only this account may be used.
  /// - Throws: ``LedgerRefusal/accountOfAnother(_:)`` for a new identity of a guest whose account is another's now;
  ///   ``LedgerRefusal/identityOfAnother`` for a confined caller; ``LedgerRefusal/unfinished(_:)`` where the
  ///   account to be merged has generations that have not ended. Nothing is changed then.
  func signIn(
    _ identity: Identity, as named: AccountID, isLinking: Bool = false, isConfined: Bool = false
  ) throws -> SignInOutcome {
    let account = try session.accounts.present(named)
    let key = LedgerTable.hash([identity.provider.sqlValue, identity.subject.sqlValue])
    guard let bound = try session.accounts.holder(ofIdentity: key) else {
      // On a device that goes on with a guest's old name, somebody else may sign in.
      guard isLinking || account == named else { throw LedgerRefusal.accountOfAnother(account) }
      try know(account)
      try session.accounts.insertIdentity(key, of: identity.provider, for: account, created: now)
      guard try !session.accounts.wasDeleted(withIdentityOf: account) else {
        try session.accounts.setTier(.free, of: account)
        try forfeitWelcome(of: account)
        return SignInOutcome(account: account, isNew: true, granted: 0, hasMerged: false)
      }
      let granted = try becomeFree(account, for: "free:\(key)")
      return SignInOutcome(account: account, isNew: true, granted: granted, hasMerged: false)
    }
    let holder = try session.accounts.present(bound)
    if holder != account, isConfined { throw LedgerRefusal.identityOfAnother }
    guard try holder != account && (isLinking || isGuest(account)) else {
      return SignInOutcome(account: holder, isNew: false, granted: 0, hasMerged: false)
    }
    // A guest who has done nothing is merged as well: what was begun as that guest, as a payment, may come later.
    let hadAnything = try session.accounts.hasAnything(account)
    try merge(account, into: holder)
    return SignInOutcome(account: holder, isNew: false, granted: 0, hasMerged: hadAnything)
  }

  /// Whether nobody has signed in to the account, and no operator has made it `free`.
  private func isGuest(_ account: AccountID) throws -> Bool {
    try session.accounts.tier(of: account) ?? .guest == .guest && session.accounts.providers(of: account).isEmpty
  }

  /// Takes what is given once to each person, as a guest and for signing in, from a person who has had it before, with an
  /// account that was deleted.
  private func forfeitWelcome(of account: AccountID) throws {
    for credits in try session.creditGrants.mergeable(from: account) where credits.kind.isWelcome {
      _ = try move(.forfeit, credits.amount, of: credits.grant, account: account)
    }
  }

  /// Gives everything of an account to another one, which acts for it from here on. The credits that are left go on there
  /// as they were; what the account owes, the other one owes, and pays at once with what both have. What is given once to
  /// each person does not go on where the person has had it already.
  ///
  /// The account stays on record with all that it did, and nothing is granted twice: each of its grants goes on as one
  /// grant with a source of its own.
  private func merge(_ account: AccountID, into successor: AccountID) throws {
    let open = try session.generations.openRows(of: account)
    guard open.isEmpty else {
      throw LedgerRefusal.unfinished(try open.map { GenerationID(rawValue: try $0.value("id")) })
    }
    // Where nothing is counted, an account that was used may not be on record.
    try session.accounts.register(account, created: now)
    try bringUpToDate(account)
    try bringUpToDate(successor)
    if try [account, successor].contains(where: session.accounts.wasDeleted(withIdentityOf:)) {
      for account in [account, successor] { try forfeitWelcome(of: account) }
    }
    let hasHad = Set(try CreditKind.allCases.filter { try $0.isWelcome && session.creditGrants.hasHad($0, successor) })
    for credits in try session.creditGrants.mergeable(from: account) {
      guard !hasHad.contains(credits.kind) else {
        _ = try move(.forfeit, credits.amount, of: credits.grant, account: account)
        continue
      }
      _ = try move(.merge, credits.amount, of: credits.grant, account: account)
      _ = try issue(
        credits.kind, credits.amount, to: successor, for: CreditGrantTable.mergedSource(of: credits.grant),
        from: credits.effective, until: credits.expires)
    }
    if try session.accounts.isUnlimited(account) { try session.accounts.setUnlimited(true, of: successor) }
    try session.accounts.setSuccessor(successor, of: account)
    forgetShortfall(of: successor)
    for bucket in try session.creditGrants.spendable(by: successor) {
      try pay(shortfall(of: successor), of: successor, with: bucket.amount, of: bucket.grant)
    }
    try session.accounts.giveAway(everythingOf: account, to: successor)
  }
}

extension CreditKind {
  /// Whether it is given once to each person.
  var isWelcome: Bool {
    switch self {
    case .guest, .free: true
    case .period, .bundle, .makegood, .operator: false
    }
  }
}
