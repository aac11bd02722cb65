import AtelierProtocol
import Store

extension SessionManager {
  /// Carries out `cancel`: the same answer however often it is asked.
  /// - Throws: `already_finished` with the state, `not_found`, `permission_denied`.
  public func cancel(_ request: Cancel, for caller: Caller) async throws -> Cancel.Result {
    let id = try await generation(named: request.target, account: request.account, for: caller)
    let (state, credits) = try await cancelAnywhere(id)
    guard state == .cancelled else { throw Self.alreadyFinished(id, state) }
    return Cancel.Result(
      generationId: id, state: state,
      credits: Cancel.ReleasedCredits(released: credits?.released ?? 0, balanceAfter: credits?.balanceAfter))
  }

  /// Finds the generation a request names, live or stored.
  /// - Throws: `not_found` when this caller can see none of that name.
  func generation(
    named target: GenerationTarget, account: AccountID?, for caller: Caller
  ) async throws -> GenerationID {
    switch target {
    case .id(let id):
      let visible = try caller.visibleAccount(naming: account)
      if let session = sessions[id], visible == nil || session.work.account == visible { return id }
      guard try await openStore().generation(id, account: visible) != nil else { throw Self.notFound(id.rawValue) }
      return id
    case .idempotencyKey(let key):
      let owner = try caller.account(naming: account)
      if let id = live(key, of: owner, isAccepted: true) { return id }
      if let row = try await openStore().generation(idempotencyKey: key, account: owner) { return row.id }
      // One that is being accepted comes last: it may turn out to be a repetition of what the store has.
      guard let id = live(key, of: owner, isAccepted: false) ?? live(key, of: owner, isAccepted: true) else {
        throw Self.notFound(key)
      }
      return id
    }
  }

  private func live(_ key: String, of account: AccountID, isAccepted: Bool) -> GenerationID? {
    sessions.values.first {
      $0.isAccepted == isAccepted && $0.work.request.idempotencyKey == key && $0.work.account == account
    }?.work.id
  }

  /// Cancels a generation of this process, of another one, or one a dead one left.
  /// - Returns: the state it ended with, perhaps before, and what that did to its account's credits.
  @discardableResult
  func cancelAnywhere(_ id: GenerationID) async throws -> (state: GenerationState, credits: Credits?) {
    if sessions[id] != nil {
      let finished = await cancelLocally(id)
      if finished.error?.kind == .notFound { throw Self.notFound(id.rawValue) }
      return (finished.state, finished.result?.credits)
    }
    switch try await openStore().cancel(id, account: nil) {
    case .cancelled(let row):
      if row.credits != nil { await herald.creditsChanged(of: row.account) }
      return (row.state, row.credits)
    case .alreadyCancelled(let row), .alreadyFinished(let row): return (row.state, row.credits)
    case .notFound: throw Self.notFound(id.rawValue)
    }
  }

  static func notFound(_ name: String) -> AtelierError {
    AtelierError(.notFound, "There is no generation “\(name)” in this account. Look it up with history.")
  }

  private static func alreadyFinished(_ id: GenerationID, _ state: GenerationState) -> AtelierError {
    AtelierError(
      .alreadyFinished, "The generation has already ended (\(state.rawValue)); there is nothing to cancel.",
      generationId: id, details: ["state": .string(state.rawValue)])
  }
}
