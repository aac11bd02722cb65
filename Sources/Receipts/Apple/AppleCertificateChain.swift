import AtelierProtocol
import Crypto
import Encodings
import FoundationEssentials
import SwiftASN1
import X509
@_spi(FixedExpiryValidationTime) import X509

/// The three certificates of one of Apple's receipts: the signer's, the intermediate that certifies it, and the root.
struct AppleCertificateChain {
  static let length = 3
  /// Marks the certificates that sign App Store receipts.
  private static let signerMark: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 11, 1]
  /// Marks the authority of Apple's developer relations.
  private static let intermediateMark: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 2, 1]

  private let leaf: Certificate
  private let intermediate: Certificate
  private let root: Certificate

  /// - Parameter certificates: in DER, the signer's first.
  /// - Throws: `wrong_chain` unless there are three; `untrusted_root` unless the last is, byte for byte, one of
  ///   `roots`.
  init(_ certificates: [[UInt8]], trusting roots: [AppleRootCertificate]) throws(ReceiptRefusal) {
    guard certificates.count == Self.length else { throw ReceiptRefusal(.wrongChain) }
    guard roots.contains(where: { $0.der == certificates[2] }), let root = try? Certificate(derEncoded: certificates[2])
    else { throw ReceiptRefusal(.untrustedRoot) }
    guard let leaf = try? Certificate(derEncoded: certificates[0]),
      let intermediate = try? Certificate(derEncoded: certificates[1])
    else { throw ReceiptRefusal(.wrongChain) }
    (self.leaf, self.intermediate, self.root) = (leaf, intermediate, root)
  }

  /// The key that signed the receipt, once the chain is verified to have been valid at that time.
  /// - Parameter signedAt: the signing time stated in the receipt. Apple's own library also verifies the chain at that
  ///   time when it works offline: receipts outlive the certificates that signed them.
  /// - Throws: `wrong_chain`, `expired_certificate`, `missing_oid`.
  func signerKey(at signedAt: Timestamp) async throws(ReceiptRefusal) -> P256.Signing.PublicKey {
    // Certificates have no fractions of a second.
    let second = Date(timeIntervalSince1970: Double(signedAt.milliseconds / 1000))
    try checkValidity(at: second)
    try await checkPath(at: second)
    try checkPurposes()
    guard leaf.extensions.contains(where: { $0.oid == Self.signerMark }),
      intermediate.extensions.contains(where: { $0.oid == Self.intermediateMark })
    else { throw ReceiptRefusal(.missingOID) }
    guard let key = P256.Signing.PublicKey(leaf.publicKey) else { throw ReceiptRefusal(.wrongChain) }
    return key
  }

  /// Path validation also checks validity periods; checking them here gives a specific reason.
  private func checkValidity(at time: Date) throws(ReceiptRefusal) {
    for certificate in [leaf, intermediate, root]
    where time < certificate.notValidBefore || time > certificate.notValidAfter {
      throw ReceiptRefusal(.expiredCertificate)
    }
  }

  /// Verifies the signatures and the rules of RFC 5280: names, CA flags, path length, critical extensions.
  private func checkPath(at time: Date) async throws(ReceiptRefusal) {
    var verifier = Verifier(rootCertificates: CertificateStore([root])) {
      RFC5280Policy(fixedExpiryValidationTime: time)
    }
    let result = await verifier.validate(leaf: leaf, intermediates: CertificateStore([intermediate]))
    // The library accepts any path that it finds, including one that omits the intermediate.
    guard case .validCertificate(let path) = result, path.elementsEqual([leaf, intermediate, root]) else {
      throw ReceiptRefusal(.wrongChain)
    }
  }

  /// Checks that each key's use is permitted by its certificate, which the library does not check.
  private func checkPurposes() throws(ReceiptRefusal) {
    let isAuthority = if case .isCertificateAuthority? = try? leaf.extensions.basicConstraints { true } else { false }
    guard !isAuthority, allows(leaf, \.digitalSignature), allows(intermediate, \.keyCertSign) else {
      throw ReceiptRefusal(.wrongChain)
    }
  }

  /// A certificate without a key usage extension permits every use (RFC 5280 section 4.2.1.3).
  private func allows(_ certificate: Certificate, _ purpose: KeyPath<KeyUsage, Bool>) -> Bool {
    do {
      return try certificate.extensions.keyUsage?[keyPath: purpose] ?? true
    } catch {
      return false
    }
  }
}

/// A root certificate accepted for Apple's receipts.
public struct AppleRootCertificate: Sendable, Equatable {
  /// The certificate in DER; a receipt's root must be identical to these bytes.
  public let der: [UInt8]

  /// Reads the content of a certificate file, PEM or DER.
  /// - Throws: ``ReceiptConfigurationFailure/unreadableRoot`` unless it is exactly one CA certificate.
  public init(file bytes: [UInt8]) throws(ReceiptConfigurationFailure) {
    let text = (try? SavedText.withoutMark(bytes)) ?? bytes
    let pem = try? PEMDocument(pemString: String(decoding: text, as: UTF8.self))
    guard pem == nil || pem?.discriminator == Certificate.defaultPEMDiscriminator else { throw .unreadableRoot }
    let der = pem?.derBytes ?? bytes
    guard let certificate = try? Certificate(derEncoded: der),
      case .isCertificateAuthority? = try? certificate.extensions.basicConstraints
    else { throw .unreadableRoot }
    self.der = der
  }

  private init(der: [UInt8]) { self.der = der }
}

extension AppleRootCertificate {
  /// Apple Root CA - G3, the root of App Store receipts; valid until 2039-04-30.
  ///
  /// Its SHA-256 is 63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179, as Apple publishes it at
  /// https://www.apple.com/certificateauthority/. If its text were damaged, every receipt would be refused.
  public static let appleG3 = AppleRootCertificate(der: Base64.decoded(appleG3Text) ?? [])

  private static let appleG3Text = """
    MIICQzCCAcmgAwIBAgIILcX8iNLFS5UwCgYIKoZIzj0EAwMwZzEbMBkGA1UEAwwSQXBwbGUgUm9vdCBDQSAtIEczMSYwJAYDVQQLDB1B\
    cHBsZSBDZXJ0aWZpY2F0aW9uIEF1dGhvcml0eTETMBEGA1UECgwKQXBwbGUgSW5jLjELMAkGA1UEBhMCVVMwHhcNMTQwNDMwMTgxOTA2\
    WhcNMzkwNDMwMTgxOTA2WjBnMRswGQYDVQQDDBJBcHBsZSBSb290IENBIC0gRzMxJjAkBgNVBAsMHUFwcGxlIENlcnRpZmljYXRpb24g\
    QXV0aG9yaXR5MRMwEQYDVQQKDApBcHBsZSBJbmMuMQswCQYDVQQGEwJVUzB2MBAGByqGSM49AgEGBSuBBAAiA2IABJjpLz1AcqTtkyJy\
    gRMc3RCV8cWjTnHcFBbZDuWmBSp3ZHtfTjjTuxxEtX/1H7YyYl3J6YRbTzBPEVoA/VhYDKX1DyxNB0cTddqXl5dvMVztK517IDvYuVTZ\
    XpmkOlEKMaNCMEAwHQYDVR0OBBYEFLuw3qFYM4iapIqZ3r6966/ayySrMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMAoG\
    CCqGSM49BAMDA2gAMGUCMQCD6cHEFl4aXTQY2e3v9GwOAEZLuN+yRhHFD/3meoyhpmvOwgPUnPWTxnS4at+qIxUCMG1mihDK1A3UT82N\
    Qz60imOlM27jbdoXt2QfyFMm+YhidDkLF1vLUagM6BgD56KyKA==
    """
}
