import AtelierProtocol

/// What a key of an operator was used for.
struct KeyedCredits {
  var account: AccountID
  var amount: Int
  var reason: String?

  /// - Parameter row: any row that has `account`, `amount` and `reason`.
  init(_ row: SQLRow) throws {
    account = AccountID(rawValue: try row.value("account"))
    amount = try row.value("amount")
    reason = try row.optional("reason")
  }
}
