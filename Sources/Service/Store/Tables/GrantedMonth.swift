import AtelierProtocol

/// A month of a subscription that was granted.
struct GrantedMonth {
  /// The source of the subscription.
  var source: String
  var product: String
  var credits: Int
  var starts: Timestamp
  var ends: Timestamp
}
