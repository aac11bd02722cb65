import Crypto
import FoundationEssentials
import SwiftASN1
import X509

/// The three certificates of one of Apple's receipts: the signer's, the intermediate that certifies it, and the root.
struct AppleCertificateChain {
  static let length = 3
  /// Marks the certificates that sign App Store receipts.
  private static let signerMark: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 11, 1]
  /// Marks the authority of Apple's developer relations.
  private static let intermediateMark: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 2, 1]

  let leaf: Certificate
  let intermediate: Certificate
  let root: Certificate

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

  /// Whether none of the certificates has expired or is not valid yet.
  func isValid(at time: Date) -> Bool {
    [leaf, intermediate, root].allSatisfy { $0.notValidBefore <= time && time <= $0.notValidAfter }
  }

  /// Whether the signer's key is of the curve of ES256.
  var hasSignerKey: Bool { P256.Signing.PublicKey(leaf.publicKey) != nil }

  /// - Throws: `missing_oid` unless Apple has marked the certificates for their places in the chain.
  func checkMarks() throws(ReceiptRefusal) {
    guard leaf.extensions.contains(where: { $0.oid == Self.signerMark }),
      intermediate.extensions.contains(where: { $0.oid == Self.intermediateMark })
    else { throw ReceiptRefusal(.missingOID) }
  }
}

/// Accepts exactly the path from the signer over the intermediate to the root, and keys that are used as their certificates
/// permit. The library accepts any path that it finds, including one that omits the intermediate, and checks no use.
struct AppleCertificatePolicy: VerifierPolicy {
  let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = []
  private let chain: AppleCertificateChain

  init(_ chain: AppleCertificateChain) { self.chain = chain }

  func chainMeetsPolicyRequirements(chain path: UnverifiedCertificateChain) -> PolicyEvaluationResult {
    guard path.elementsEqual([chain.leaf, chain.intermediate, chain.root]) else {
      return .failsToMeetPolicy(reason: "The path is another than the receipt's.")
    }
    let isAuthority =
      if case .isCertificateAuthority? = try? chain.leaf.extensions.basicConstraints { true } else { false }
    guard !isAuthority, allows(chain.leaf, \.digitalSignature), allows(chain.intermediate, \.keyCertSign) else {
      return .failsToMeetPolicy(reason: "A certificate does not permit the use of its key.")
    }
    return .meetsPolicy
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
