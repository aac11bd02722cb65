import AtelierProtocol
import Store

extension Engine {
  /// Grants credits that the host has sold or given; durable before it returns.
  /// - Throws: `permission_denied` unless the connection is trusted; `idempotency_mismatch` for a key of another grant;
  ///   or what the store throws.
  public func grant(_ request: CreditsGrant, for caller: Caller) async throws -> CreditsGrant.Result {
    let account = try caller.changeableAccount(
      named: request.account, "The account “owner” needs no credits. Name the account that is to get them.")
    let grant = try await lazyStore.store().grantCredits(
      request.amount, to: account, because: request.reason, source: request.idempotencyKey)
    if grant.isNew { await parts.balances.creditsChanged(of: account) }
    return CreditsGrant.Result(
      account: account, granted: grant.isNew ? request.amount : 0, alreadyGranted: !grant.isNew,
      isNewAccount: grant.isNewAccount, balance: configuration.credits.shown(grant.balance),
      limits: try await usage(of: account, for: caller).map(\.shown))
  }

  /// Takes back credits; durable before it returns.
  /// - Throws: `permission_denied` unless the connection is trusted; `not_found`; `insufficient_credits`;
  ///   `idempotency_mismatch` for a key of another revocation; or what the store throws.
  public func revoke(_ request: CreditsRevoke, for caller: Caller) async throws -> CreditsRevoke.Result {
    let account = try caller.changeableAccount(
      named: request.account, "The account “owner” has no credits. Name the account that is to lose them.")
    let (balance, outcome) = try await lazyStore.store().revokeCredits(
      request.amount, from: account, because: request.reason, source: request.idempotencyKey, payment: request.payment,
      owes: request.owe)
    if outcome.taken > 0 { await parts.balances.creditsChanged(of: account) }
    return CreditsRevoke.Result(
      account: account, revoked: outcome.taken, owed: outcome.owed, alreadyRevoked: !outcome.isNew,
      waiting: outcome.isWaiting, revokedBefore: outcome.isNew ? nil : outcome.earlier,
      balance: configuration.credits.shown(balance))
  }
}

extension Caller {
  /// An account whose credits, tier or limits the host changes by its own decision.
  /// - Throws: `permission_denied` unless the connection is trusted, and with `refusal` for the machine's own account.
  func changeableAccount(named account: AccountID, _ refusal: String) throws(AtelierError) -> AccountID {
    try mayChangeCredits()
    return try otherAccount(naming: account, refusal)
  }

  /// Credits are money, so whoever starts the service decides who may grant them.
  /// - Throws: `permission_denied`.
  private func mayChangeCredits() throws(AtelierError) {
    guard !isConfined else {
      throw AtelierError(
        .permissionDenied,
        hint: "A confined connection may not grant or revoke credits. Use one of `atelier serve --trusted`, and name no "
          + "account in initialize.")
    }
    guard isTrusted else {
      throw AtelierError(
        .permissionDenied,
        hint: "This connection may not grant or revoke credits. Allow it with `atelier serve --trusted`.")
    }
  }
}
