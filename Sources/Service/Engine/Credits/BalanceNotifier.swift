import AtelierProtocol
import Store

/// Notifies hosts of balances that this process has changed, one change after the other, so that the last notification
/// is correct.
actor BalanceNotifier {
  private let lazyStore: LazyStore
  private let announce: @Sendable (Announcement) -> Void
  private var last: Task<Void, Never>?

  /// - Parameter announce: receives each change; must not block.
  init(lazyStore: LazyStore, announce: @escaping @Sendable (Announcement) -> Void) {
    self.lazyStore = lazyStore
    self.announce = announce
  }

  /// Notifies of each account whose credits were held for one of these generations.
  func creditsChanged(by rows: [GenerationRow]) async {
    for account in Set(rows.filter { $0.credits != nil }.map(\.account)).sorted() { await creditsChanged(of: account) }
  }

  /// Returns once the change is announced, so that it precedes its consequences. An unreadable store announces nothing.
  func creditsChanged(of account: AccountID) async {
    let telling = Task { [last, lazyStore, announce] in
      await last?.value
      guard let sums = try? await lazyStore.storeIfOpen?.creditSums(of: account) else { return }
      announce(.creditsChanged(CreditsChanged(account: account, available: sums.available, held: sums.held)))
    }
    last = telling
    await telling.value
  }
}
