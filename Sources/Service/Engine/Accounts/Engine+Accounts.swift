import AtelierProtocol
import JSON
import Receipts
import Store

extension Engine {
  /// An account's identity, balance, limits and running generations. A metered account that is seen for the first time
  /// becomes a guest, unless the caller serves many.
  /// - Throws: `permission_denied`, or what the store throws.
  public func account(_ request: AccountGet, for caller: Caller) async throws -> AccountGet.Result {
    let account = try caller.account(naming: request.account)
    let token = AppAccountToken(for: account).text
    let running = try await generations.openGenerations(of: account)
    guard account != .owner else {
      return AccountGet.Result(
        account: account, tier: .owner, unlimited: true, appAccountToken: token, balance: .unmetered(account),
        running: running)
    }
    let store = try await lazyStore.store()
    let record = try await store.account(account, registers: caller.registersAccounts)
    let isMetered = configuration.credits.isMetered(account)
    let usage = try await usage(of: account, for: caller)
    return AccountGet.Result(
      account: account, tier: record.balance.tier, unlimited: !isMetered || record.balance.unlimited,
      createdAt: record.created, signedInWith: record.signedInWith, premiumUntil: record.premiumUntil,
      appAccountToken: token, balance: configuration.credits.shown(record.balance), limits: usage.map(\.shown),
      // A limit on one recipe leaves the others free.
      cooldownUntil: usage.filter { $0.limit.recipe == nil }.compactMap(\.freeAt).max(), running: running,
      consent: record.consent)
  }

  /// How far a metered account has used up its limits.
  func usage(of account: AccountID, for caller: Caller) async throws -> [UsageState] {
    guard configuration.credits.isMetered(account) else { return [] }
    return try await lazyStore.store().usage(
      of: account, against: configuration.credits.limits, registers: caller.registersAccounts)
  }

  /// Sets an account's tier or lifts its limits; durable before it returns.
  /// - Throws: `permission_denied` unless the connection is trusted; `invalid params` when there is nothing to change, or
  ///   something that cannot be; `idempotency_mismatch` for a key of another change; or what the store throws.
  public func set(_ request: AccountSet, for caller: Caller) async throws -> AccountSet.Result {
    let account = try caller.changeableAccount(
      named: request.account, "The account “owner” has no tier and no limits. Name the account to change.")
    try request.check()
    let change = AccountChange(tier: request.tier, isUnlimited: request.unlimited, start: request.start)
    let (record, granted, reason, isNew) = try await lazyStore.store().change(
      account, change, welcomes: request.welcome ?? true, source: request.idempotencyKey)
    if granted > 0 { await parts.balances.creditsChanged(of: account) }
    return AccountSet.Result(
      account: account, tier: record.balance.tier, granted: granted, reason: reason, alreadySet: !isNew,
      balance: configuration.credits.shown(record.balance), limits: try await usage(of: account, for: caller).map(\.shown))
  }
}

extension Caller {
  /// As ``account(naming:)``, for operations that do not exist for the machine's own account.
  /// - Throws: `permission_denied` with `refusal` for that account.
  func otherAccount(naming named: AccountID?, _ refusal: String) throws(AtelierError) -> AccountID {
    let account = try account(naming: named)
    guard account != .owner else { throw AtelierError(.permissionDenied, hint: refusal) }
    return account
  }
}

extension AccountSet {
  /// - Throws: the refusal of params that do not fit each other.
  fileprivate func check() throws(JSONDecodingFailure) {
    if tier == nil, unlimited == nil, welcome == nil {
      throw .unfit("/tier", "there when unlimited is not: there is nothing to change")
    }
    if tier == .owner { throw .unfit("/tier", "guest, free or premium: only the machine's own account is owner") }
    if start != nil, tier != .premium { throw .unfit("/start", "left out unless the tier is premium") }
  }
}

extension JSONDecodingFailure {
  static func unfit(_ path: String, _ expected: String) -> JSONDecodingFailure {
    JSONDecodingFailure(path: path, expected: expected, message: "\(path) must be \(expected).")
  }
}

extension UsageState {
  var shown: AccountGet.Limit {
    AccountGet.Limit(
      scope: limit.window.rawValue, recipe: limit.recipe, limit: limit.limit, used: used, resetsAt: freeAt)
  }
}
