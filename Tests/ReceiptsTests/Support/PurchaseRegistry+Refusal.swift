import AtelierProtocol
import Receipts

extension PurchaseRegistry {
  /// Why `receipt` is refused; nil when it is accepted.
  func refusal(
    of receipt: PurchaseProof, for account: AccountID = AppleStore.account
  ) async -> ReceiptRefusal.Reason? {
    do throws(ReceiptRefusal) {
      _ = try await verify(receipt, for: account, at: AppleStore.now)
      return nil
    } catch {
      return error.reason
    }
  }
}
