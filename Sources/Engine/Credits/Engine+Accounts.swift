import AtelierProtocol
import Receipts
import Store

extension Engine {
  /// An account's identity, balance, limits and running generations. A metered account that is seen for the first time
  /// becomes a guest.
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
    let store = try await generations.openStore()
    let record = try await store.account(account)
    let isMetered = configuration.credits.isMetered(account)
    let usage = isMetered ? try await store.usage(of: account, against: configuration.credits.limits) : []
    return AccountGet.Result(
      account: account, tier: record.balance.tier, unlimited: !isMetered || record.balance.unlimited, createdAt: record.created,
      signedInWith: record.signedInWith, premiumUntil: record.premiumUntil, appAccountToken: token,
      balance: configuration.credits.shown(record.balance), limits: usage.map(\.shown),
      // A limit on one recipe leaves the others free.
      cooldownUntil: usage.filter { $0.limit.recipe == nil }.compactMap(\.freeAt).max(), running: running)
  }

  /// Binds an identity to an account, unless it is bound already.
  /// - Throws: `permission_denied`, also if the identity belongs to an account this caller may not act for.
  public func signIn(_ request: AccountSignIn, for caller: Caller) async throws -> AccountSignIn.Result {
    let account = try caller.otherAccount(
      naming: request.account,
      "The account “owner” is the machine's own; nobody signs in to it. Name another account.")
    let (record, isNew, granted) = try await generations.openStore().signIn(request.identity, as: account)
    guard caller.confinedTo == nil || record.account == account else {
      throw AtelierError(
        .permissionDenied,
        "This identity belongs to another account, for which this connection may not act. Connect for that account.")
    }
    if granted > 0 { await parts.balances.creditsChanged(of: record.account) }
    return AccountSignIn.Result(
      account: record.account, tier: record.balance.tier, granted: granted, isNew: isNew,
      balance: configuration.credits.shown(record.balance))
  }
}

extension Caller {
  /// As ``account(naming:)``, for operations that do not exist for the machine's own account.
  /// - Throws: `permission_denied` with `refusal` for that account.
  func otherAccount(naming named: AccountID?, _ refusal: String) throws(AtelierError) -> AccountID {
    let account = try account(naming: named)
    guard account != .owner else { throw AtelierError(.permissionDenied, refusal) }
    return account
  }
}

extension UsageState {
  fileprivate var shown: AccountGet.Limit {
    AccountGet.Limit(
      scope: limit.window.rawValue, recipe: limit.recipe, limit: limit.limit, used: used, resetsAt: freeAt)
  }
}
