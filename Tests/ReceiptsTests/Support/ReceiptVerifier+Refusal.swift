import AtelierProtocol
import Receipts

extension ReceiptVerifier {
  /// Why `receipt` is refused; nil when it is accepted.
  func refusal(
    of receipt: SubmittedReceipt, for account: AccountID = AppleStore.account
  ) async -> ReceiptRefusal.Reason? {
    do throws(ReceiptRefusal) {
      _ = try await verify(receipt, for: account, at: AppleStore.now)
      return nil
    } catch {
      return error.reason
    }
  }
}
