import AtelierProtocol
import Encodings

/// What a key of an operator was used for.
struct KeyedCredits {
  /// Of the account's name: see ``DeletedAccount``.
  var digest: String
  var amount: Int
  var reason: String?

  init(of account: AccountID, amount: Int, reason: String) {
    digest = DeletedAccount.digest(of: account)
    self.amount = amount
    self.reason = StoredText.readable(reason)
  }

  /// - Parameter row: any row that has `account_digest`, `amount` and `reason`.
  init(_ row: SQLRow) throws {
    digest = try row.value("account_digest")
    amount = try row.value("amount")
    reason = try row.optional("reason")
  }

  /// Checks that a repeated grant or revocation is the one that was recorded under its key.
  /// - Parameter digests: of the names that its account has had.
  /// - Throws: ``LedgerRefusal/keyReused(_:)`` when the amount, the account or the reason is another.
  func check(
    _ repeated: KeyedCredits, _ digests: Set<String>, as use: LedgerRefusal.KeyUse
  ) throws(LedgerRefusal) {
    let isSame = digests.contains(digest) && amount == repeated.amount
      && reason.map { ExactText.areSame($0, repeated.reason ?? "") } == true
    guard isSame else { throw .keyReused(use) }
  }
}
