import AtelierProtocol
import Store

extension SessionManager {
  /// Writes the row and holds its credits, unless a generation has this idempotency key already.
  /// - Throws: the store's refusals, with what to get more credits by.
  func accept(_ work: GenerationWork, waitingAt place: WaitingPlace? = nil) async throws -> AcceptOutcome {
    var acceptance = try work.acceptance()
    acceptance.waiting = place
    do {
      let outcome: AcceptOutcome
      do {
        outcome = try await openStore().accept(acceptance)
      } catch let refusal as AtelierError {
        guard refusal.mayEndWithADeadProcess, try await settleTheDead() else { throw refusal }
        outcome = try await openStore().accept(acceptance)
      }
      if case .accepted(let row) = outcome, row.credits != nil { await herald.creditsChanged(of: row.account) }
      return outcome
    } catch let refusal as AtelierError {
      throw configuration.credits.offeringMore(refusal)
    }
  }

  /// Whether a request would be accepted now, and what the account has.
  /// - Parameter metering: what accepting it would take; nil asks for the balance alone.
  func allowance(
    of account: AccountID, for recipe: Recipe, metering: Metering?
  ) async throws -> (balance: CreditBalance, refusal: AtelierError?) {
    guard account.isMetered else { return (.unmetered(account), nil) }
    let store = try await openStore()
    guard let metering else { return (try await store.creditBalance(of: account), nil) }
    let allowance = try await store.allowance(of: account, for: recipe, metering: metering)
    guard let refusal = allowance.refusal, refusal.mayEndWithADeadProcess, try await settleTheDead() else {
      return allowance
    }
    return try await store.allowance(of: account, for: recipe, metering: metering)
  }

  /// Settles what processes that are gone had running, whose credits are held until then.
  /// - Returns: whether there was any.
  private func settleTheDead() async throws -> Bool {
    let recovery = try await openStore().recover()
    await take(recovery)
    return !recovery.interrupted.isEmpty
  }
}

extension AtelierError {
  /// Whether it is for want of something that a generation sets free at its end.
  fileprivate var mayEndWithADeadProcess: Bool { kind == .concurrentLimit || kind == .insufficientCredits }
}
