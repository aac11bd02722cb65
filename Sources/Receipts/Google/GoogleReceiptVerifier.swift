import AtelierProtocol

/// Verifies purchases that Google Play has signed, without any network.
///
/// What Play signs on a device never tells when a subscription ends or that it has renewed: only a question to its
/// servers does.
public struct GoogleReceiptVerifier: Sendable {
  public let configuration: GoogleReceiptConfiguration

  public init(_ configuration: GoogleReceiptConfiguration) { self.configuration = configuration }

  /// Judges `purchase`: first whether Google signed it, then what it says.
  /// - Parameters:
  ///   - purchase: the purchase as JSON, character for character as Play Billing gave it.
  ///   - signature: Play Billing's signature of it, in base64; both together of at most
  ///     ``ReceiptVerifier/maximumBytes``.
  ///   - account: which it must name: by its id, or by its ``AppAccountToken``.
  ///   - now: when a cancelled purchase counts as revoked.
  /// - Returns: the purchase; one that was cancelled has ``VerifiedPurchase/revokedAt`` set.
  /// - Throws: ``ReceiptRefusal``.
  public func verify(
    _ purchase: String, signature: String, for account: AccountID, at now: Timestamp
  ) throws(ReceiptRefusal) -> VerifiedPurchase {
    guard purchase.utf8.count + signature.utf8.count <= ReceiptVerifier.maximumBytes else {
      throw ReceiptRefusal(.tooLarge)
    }
    let bytes = Array(purchase.utf8)
    guard let signature = Base64.decoded(signature) else { throw ReceiptRefusal(.malformed) }
    guard configuration.publicKey.signed(bytes, signature) else { throw ReceiptRefusal(.badSignature) }
    return try GooglePurchase(bytes).purchase(configuration, for: account, at: now)
  }
}
