import AtelierProtocol
import Crypto

/// Verifies transactions that Apple has signed (`JWSTransaction` of the App Store), without any network.
///
/// Certificates that Apple has revoked are not found out, as that needs its servers.
public struct AppleReceiptVerifier: Sendable {
  public let configuration: AppleReceiptConfiguration

  public init(_ configuration: AppleReceiptConfiguration) { self.configuration = configuration }

  /// Judges `transaction`: first who signed it, then what it says, which is read from exactly the bytes signed.
  /// - Parameters:
  ///   - transaction: a JWS in compact serialization, of at most ``ReceiptVerifier/maximumBytes``.
  ///   - account: whose `appAccountToken` it must name.
  ///   - now: when a subscription must still run.
  /// - Returns: the purchase; one that Apple has taken back has ``VerifiedPurchase/revokedAt`` set.
  /// - Throws: ``ReceiptRefusal``.
  public func verify(
    _ transaction: String, for account: AccountID, at now: Timestamp
  ) async throws(ReceiptRefusal) -> VerifiedPurchase {
    let jws = try CompactJWS(transaction)
    let chain = try AppleCertificateChain(jws.certificates, trusting: configuration.roots)
    let payload = try AppleTransaction(jws.payload)
    let key = try await chain.signerKey(at: payload.signedAt)
    // ES256 has the two numbers side by side, 32 bytes each, and not in DER (RFC 7518 section 3.4).
    guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: jws.signature),
      key.isValidSignature(signature, for: jws.signedBytes)
    else { throw ReceiptRefusal(.badSignature) }
    return try payload.purchase(configuration, for: account, at: now)
  }
}
