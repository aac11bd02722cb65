import AtelierProtocol
import Receipts
import Testing

/// One receipt of Google's, and what this service makes of it.
struct GoogleVector: Sendable, CustomTestStringConvertible {
  var name: String
  /// Nil when the receipt is accepted.
  var refusal: ReceiptRefusal.Reason?
  var account: AccountID
  /// Makes the receipt, out of a store that sells a bundle properly.
  var make: @Sendable (inout GooglePlay) throws -> PurchaseProof

  init(
    _ name: String, _ refusal: ReceiptRefusal.Reason?, account: AccountID = GooglePlay.account,
    make: @escaping @Sendable (inout GooglePlay) throws -> PurchaseProof
  ) {
    self.name = name
    self.refusal = refusal
    self.account = account
    self.make = make
  }

  var testDescription: String { name }

  func receipt() throws -> PurchaseProof {
    var play = try GooglePlay.shared.get()
    return try make(&play)
  }

  static let all = content + form
}
