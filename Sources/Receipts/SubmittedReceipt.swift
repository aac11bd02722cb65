/// A receipt as a host hands it in, of which nothing is believed yet.
public enum SubmittedReceipt: Sendable, Equatable {
  /// StoreKit's `jwsRepresentation` of a transaction: a JWS in compact serialization (RFC 7515 section 3.1).
  case apple(transaction: String)
  /// Play Billing's `getOriginalJson()`, character for character, and `getSignature()` in base64.
  case google(purchase: String, signature: String)
}
