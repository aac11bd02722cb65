import AtelierProtocol
import Identities
import JSON
import Store

extension Engine {
  /// Signs the person behind an account in; durable before it returns.
  /// - Throws: `permission_denied`, also if the identity belongs to an account this caller may not act for;
  ///   `invalid_identity` for a token that proves nothing, `provider_unavailable` where the keys for it cannot be had;
  ///   `not_finished` where a guest's account is to be merged that has generations that have not ended.
  public func signIn(_ request: AccountSignIn, for caller: Caller) async throws -> AccountSignIn.Result {
    let account = try caller.otherAccount(
      naming: request.account,
      "The account “owner” is the machine's own; nobody signs in to it. Name another account.")
    let identity = try await identity(in: request, for: caller)
    let (record, outcome) = try await lazyStore.store().signIn(
      identity, as: account, isLinking: request.link ?? false, isConfined: caller.confinedTo != nil)
    if outcome.granted > 0 || outcome.hasMerged { await parts.balances.creditsChanged(of: record.account) }
    return AccountSignIn.Result(
      account: record.account, tier: record.balance.tier, granted: outcome.granted, isNew: outcome.isNew,
      merged: outcome.hasMerged, balance: configuration.credits.shown(record.balance))
  }

  /// The identity that a sign-in names or proves.
  private func identity(in request: AccountSignIn, for caller: Caller) async throws -> Identity {
    switch (request.identity, request.identityToken) {
    case (let identity?, nil):
      if request.nonce != nil { throw JSONDecodingFailure.unfit("/nonce", "left out unless there is an identityToken") }
      guard !caller.mustProveIdentities else {
        throw AtelierError(
          .permissionDenied,
          hint: "This service was started with --account: send an `identityToken`, which proves the identity.")
      }
      return identity
    case (nil, let token?):
      guard let identities else {
        throw AtelierError(
          .invalidIdentity,
          hint: "No issuer of identity tokens is configured: add it to `accounts.issuers` in the configuration.")
      }
      return try await identities.identity(in: token.revealed, nonce: request.nonce, at: surroundings.now())
    case (nil, nil), (.some, .some):
      throw JSONDecodingFailure.unfit("/identity", "there, or else identityToken, but not both")
    }
  }

  /// The account of a new guest, who comes after whoever has used an account.
  /// - Throws: `permission_denied`.
  public func signOut(_ request: AccountSignOut, for caller: Caller) throws -> AccountSignOut.Result {
    _ = try caller.otherAccount(
      naming: request.account, "The account “owner” is the machine's own; nobody is signed in to it.")
    guard caller.confinedTo == nil else {
      throw AtelierError(
        .permissionDenied,
        hint: "This connection may act for one account only. End it, and connect anew for the guest.")
    }
    return AccountSignOut.Result(account: AccountID(rawValue: surroundings.makeIdentifier("guest_")))
  }
}

extension Engine {
  /// Puts the accounts that act today in the place of those that were merged into them: in a request's params and in the
  /// rights of its caller. A host may go on with the name it knows, and what arrives late for a guest is not lost.
  public func inPresentNames(_ params: JSONObject, _ caller: Caller) async -> (params: JSONObject, caller: Caller) {
    var (params, caller) = (params, caller)
    let (named, own) = (params["account"]?.string.map { AccountID(rawValue: $0) }, caller.confinedTo)
    if let own, let account = await successor(of: own) {
      caller.confinedTo = account
      if named == own { params["account"] = .string(account.rawValue) }
    }
    if let named, named != own, let account = await successor(of: named) {
      params["account"] = .string(account.rawValue)
    }
    return (params, caller)
  }

  /// The account that acts today for one that a person names; nil for nil.
  public func presentAccount(of account: AccountID?) async -> AccountID? {
    guard let account else { return nil }
    return await successor(of: account) ?? account
  }

  /// - Throws: `permission_denied` for an account that was merged into another: whoever means everything of that one names
  ///   it.
  func checkIsPresent(_ account: AccountID) async throws {
    guard let successor = await successor(of: account) else { return }
    throw AtelierError(
      .permissionDenied,
      hint: "“\(account)” was merged into “\(successor)”. Name that account to delete everything of it.")
  }

  /// The account that an account was merged into; nil for none. If it cannot be known, whatever is done with the account
  /// says so.
  private func successor(of account: AccountID) async -> AccountID? {
    guard account != .owner, account != .everybody else { return nil }
    // That somebody might have been merged is no reason to make a database.
    if await lazyStore.storeIfOpen == nil, await !hasDatabase { return nil }
    let present = try? await lazyStore.store().presentAccount(of: account)
    return present == account ? nil : present
  }
}
