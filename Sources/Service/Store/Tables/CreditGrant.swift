import AtelierProtocol

/// A row of the table `credit_grant`.
struct CreditGrant {
  var id: String
  var account: AccountID
  var kind: CreditKind
  /// What the credits are granted for.
  var source: String
  var amount: Int
  /// The lowest is spent first.
  var priority: Int
  /// When the grant starts; its credits can be spent at once in any case.
  var effective: Timestamp
  var expires: Timestamp?
  var reason: String?
  var created: Timestamp
}
