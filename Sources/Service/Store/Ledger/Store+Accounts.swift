import AtelierProtocol

/// The people behind accounts: signing in, consent, deletion.
extension Store {
  /// The account that acts for an account today: itself, unless it was merged into another.
  public func presentAccount(of account: AccountID) async throws(AtelierError) -> AccountID {
    try await read { try $0.accounts.present(account) }
  }

  /// The accounts that were merged into an account.
  public func mergedAccounts(into account: AccountID) async throws(AtelierError) -> [AccountID] {
    try await read { try $0.accounts.merged(into: account) }
  }

  /// Binds an identity to an account, unless it is bound already; the first time, grants the credits of `free`. Where it
  /// is bound to another account, merges a guest's account into that one.
  /// - Parameters:
  ///   - isLinking: whether an account that has identities of its own is merged as well.
  ///   - isConfined: whether no other account may be used.
  /// - Returns: the account to continue with, and what was done.
  /// - Throws: `permission_denied` for a confined caller; `not_finished` where the account to be merged has generations
  ///   that have not ended. Nothing is changed then.
  public func signIn(
    _ identity: Identity, as account: AccountID, isLinking: Bool = false, isConfined: Bool = false
  ) async throws(AtelierError) -> (record: AccountRecord, outcome: SignInOutcome) {
    _ = try StoredText.identifier(account.rawValue)
    return try await write { [self] session in
      let ledger = try ledger(in: session)
      let outcome = try ledger.signIn(identity, as: account, isLinking: isLinking, isConfined: isConfined)
      try ledger.bringUpToDate(outcome.account)
      return (try ledger.record(of: outcome.account), outcome)
    }
  }

  /// Records that a person has accepted a version of the terms of use; an account that was never used exists from here
  /// on. The first acceptance of a version counts. What was accepted before an account of this name was deleted, ended with
  /// that one and is not recorded.
  /// - Returns: the versions that the person has accepted, in that order, and whether this one is new.
  public func record(
    _ consent: Consent, of account: AccountID
  ) async throws(AtelierError) -> (consents: [Consent], isNew: Bool) {
    try await write { [self] session in
      let ledger = try ledger(in: session)
      _ = try StoredText.identifier(account.rawValue)
      guard try !ledger.isOver(consent.acceptedAt, for: account) else {
        return (try session.accounts.consents(of: account), false)
      }
      try ledger.know(account)
      try ledger.bringUpToDate(account)
      let isNew = try session.accounts.insert(consent, of: account, created: ledger.system)
      return (try session.accounts.consents(of: account), isNew)
    }
  }

  /// The versions of the terms of use that a person has accepted, in that order.
  public func consents(of account: AccountID) async throws(AtelierError) -> [Consent] {
    try await read { try $0.accounts.consents(of: account) }
  }

  /// Whether a person has accepted a version of the terms of use; for nil, any version.
  public func hasAccepted(_ version: String?, _ account: AccountID) async throws(AtelierError) -> Bool {
    try await read { try $0.accounts.accepts(version, account) }
  }

  /// Deletes an account with its history, its files, its identities and its consent. The ledger keeps its numbers under a
  /// name from which nobody can be known; so do accounts that were merged into it.
  /// - Returns: what was deleted: nothing of an account that is not there. If it names generations that have not ended, the
  ///   account is still there: cancel them.
  public func deleteAccount(_ account: AccountID) async throws(AtelierError) -> DeletionSummary {
    var summary = DeletionSummary()
    var isGone = false
    while !isGone {
      for name in try await names(of: account) {
        let history = try await delete(.all(account: name))
        summary.deleted += history.deleted
        summary.bytesFreed += history.bytesFreed
        summary.stillRunning += history.stillRunning
      }
      guard summary.stillRunning.isEmpty else { return summary }
      isGone = try await write { [self] session in
        guard try session.accounts.hasAnything(account) else { return true }
        let names = try session.accounts.merged(into: account) + [account]
        // A request may have been accepted meanwhile.
        for name in names {
          let isEmpty = try session.generations.latestAcceptance(of: name) == nil && session.prepared.kept(for: name) == nil
          guard isEmpty else { return false }
        }
        let now = surroundings.now()
        try session.accounts.register(account, created: now)
        try session.accounts.deleteNames(of: account, at: now)
        return true
      }
    }
    await forgetLog()
    return summary
  }

  /// An account, after those that were merged into it.
  private func names(of account: AccountID) async throws(AtelierError) -> [AccountID] {
    try await read { try $0.accounts.merged(into: account) + [account] }
  }

  /// Whether the account was ever used, also where nothing is counted.
  public func hasAnything(of account: AccountID) async throws(AtelierError) -> Bool {
    try await read { try $0.accounts.hasAnything(account) }
  }
}

/// The keys that identity tokens are verified with, for all processes.
extension Store {
  /// The document that was last kept of a URL, and when it was fetched; nil if none was.
  public func keySet(of url: String) async throws(AtelierError) -> (document: String, fetched: Timestamp)? {
    let url = try StoredText.identifier(url)
    return try await read { try $0.keySets.entry(of: url) }
  }

  /// Keeps a document in place of the one before.
  public func keep(keySet document: String, of url: String, fetched: Timestamp) async throws(AtelierError) {
    let url = try StoredText.identifier(url)
    try await write { try $0.keySets.put(StoredText.readable(document), of: url, fetched: fetched) }
  }
}
