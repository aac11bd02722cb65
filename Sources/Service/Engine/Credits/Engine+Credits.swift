import AtelierProtocol
import JSON
import Store

extension Engine {
  /// The balance of an account.
  /// - Throws: `permission_denied`, or what the store throws.
  public func balance(_ request: CreditsBalance, for caller: Caller) async throws -> CreditBalance {
    let account = try caller.account(naming: request.account)
    guard account != .owner else { return .unmetered(account) }
    return configuration.credits.shown(
      try await lazyStore.store().creditBalance(of: account, registers: caller.registersAccounts))
  }

  /// A page of the changes to an account's credits.
  /// - Throws: `permission_denied`, `invalid params` for an invalid cursor, or what the store throws.
  public func creditHistory(_ request: CreditsHistory, for caller: Caller) async throws -> CreditsHistory.Result {
    let account = try caller.account(naming: request.account)
    if let cursor = request.cursor, Int64(cursor) == nil { throw JSONDecodingFailure.foreignCursor }
    guard account != .owner else {
      return CreditsHistory.Result(entries: [], totalUsed: 0, currentPeriod: CreditsHistory.Period(used: 0))
    }
    let page = try await lazyStore.store().creditHistory(
      of: account, limit: request.limit ?? History.defaultLimit, cursor: request.cursor,
      registers: caller.registersAccounts)
    return page.cut(to: configuration.pageBytes)
  }

  /// The products that somebody can buy.
  public func products() -> CreditsProducts.Result {
    CreditsProducts.Result(products: configuration.credits.productsForSale)
  }
}

extension CreditsHistory.Result {
  /// The same page, cut before its entries exceed `bytes`.
  fileprivate func cut(to bytes: Int) -> CreditsHistory.Result {
    var kept = PageBuilder<CreditsHistory.Entry>(bytes: bytes, size: { $0.bytesInAnswer(in: .english) })
    for entry in entries where !kept.append(entry) {
      var page = self
      page.entries = kept.entries
      // An entry's id is its cursor.
      page.nextCursor = kept.entries.last?.id
      return page
    }
    return self
  }
}
