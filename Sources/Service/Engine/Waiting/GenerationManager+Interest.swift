import AtelierProtocol
import Store

/// How a client that gives up ends only what nobody else wants: the clients of every process count, those of dead ones do
/// not.
extension GenerationManager {
  /// Notes that a client of this process wants a generation of any process. A full disk or a busy database keeps nobody
  /// from waiting.
  public func noteInterest(in id: GenerationID) async {
    try? await parts.lazyStore.store().noteInterest(in: id)
  }

  /// Withdraws the interest of this process's clients, and cancels the generation unless a client of another process
  /// wants it. One that has ended stays as it is; one that is cancelled has ended when this returns.
  public func cancelUnlessWanted(_ id: GenerationID) async {
    guard case .cancelled(let row)? = try? await parts.lazyStore.store().cancelUnlessWanted(id) else { return }
    // Another process that works on it learns of this from the store.
    apply(.interestLost, to: id)
    await parts.balances.creditsChanged(by: [row])
    // Until it has left the table, a call that asks again would join what ends now.
    if table[id] != nil { _ = await wait(for: id, as: .request) }
  }

  /// Whether a provider may have begun the work, so that a cancel may save nothing.
  public func mayHaveBeenSent(_ id: GenerationID) async -> Bool {
    if table[id] != nil { return !(works[id]?.sending.isUnsent ?? true) }
    // What another process has sent is not on record; it has begun at least.
    return (try? await parts.lazyStore.store().generation(id, account: nil))??.state == .running
  }
}
