import AtelierProtocol
import Crypto
import Encodings
import FoundationEssentials
import JSON
import SwiftASN1
import X509

/// The three certificates below which the App Store signs, with other keys: the root, the intermediate with the mark of
/// Apple's developer relations, and the signer's with the mark of App Store receipts.
public struct AppleChain: Sendable {
  public var root: CertificateRecipe
  public var intermediate: CertificateRecipe
  public var signer: CertificateRecipe
  /// The signer's key.
  public let key: P256.Signing.PrivateKey

  /// - Parameters:
  ///   - time: when the certificates are valid; the other two are valid for years before and after it.
  ///   - days: from when to when the signer's is valid, in days from that time.
  public init(at time: Date, daysOfSigner days: ClosedRange<Double>) {
    let (rootKey, intermediateKey) = (P384.Signing.PrivateKey(), P384.Signing.PrivateKey())
    key = P256.Signing.PrivateKey()
    root = Self.recipe("Test Root CA - G3", Certificate.PrivateKey(rootKey), at: time, days: -5000...5000)
    root.constraints = .isCertificateAuthority(maxPathLength: nil)
    root.usage = KeyUsage(keyCertSign: true, cRLSign: true)
    intermediate = Self.recipe(
      "Test Developer Relations", Certificate.PrivateKey(intermediateKey), at: time, days: -4000...4000)
    intermediate.issuedBy(root)
    intermediate.constraints = .isCertificateAuthority(maxPathLength: 0)
    intermediate.usage = KeyUsage(keyCertSign: true, cRLSign: true)
    intermediate.mark = [1, 2, 840, 113_635, 100, 6, 2, 1]
    signer = Self.recipe("Test App Store Receipts", Certificate.PrivateKey(key), at: time, days: days)
    signer.issuedBy(intermediate)
    signer.mark = [1, 2, 840, 113_635, 100, 6, 11, 1]
  }

  private static func recipe(
    _ name: String, _ key: Certificate.PrivateKey, at time: Date, days: ClosedRange<Double>
  ) -> CertificateRecipe {
    CertificateRecipe(
      name: name, issuerName: name, key: key, issuerKey: key, notBefore: time + days.lowerBound * 86_400,
      notAfter: time + days.upperBound * 86_400, constraints: .notCertificateAuthority,
      usage: KeyUsage(digitalSignature: true))
  }
}

/// Signs transactions as the App Store does, for tests.
public struct AppleSigner: Sendable {
  /// The certificates, the signer's first and the root last.
  public let certificates: [Certificate]
  private let key: P256.Signing.PrivateKey

  /// New keys and certificates, which are valid for years.
  public init(at now: Timestamp) throws {
    let chain = AppleChain(at: Date(timeIntervalSince1970: Double(now.milliseconds / 1000)), daysOfSigner: -3000...3000)
    certificates = [try chain.signer.made(), try chain.intermediate.made(), try chain.root.made()]
    key = chain.key
  }

  /// - Parameter pem: the signer's key and the certificates, as ``pem`` writes them.
  public init(pem: String) throws {
    let documents = try PEMDocument.parseMultiple(pemString: pem)
    certificates = try documents.filter { $0.discriminator == Certificate.defaultPEMDiscriminator }
      .map { try Certificate(derEncoded: $0.derBytes) }
    guard let key = documents.first(where: { $0.discriminator != Certificate.defaultPEMDiscriminator }),
      certificates.count == 3
    else { throw UnusableKeys(path: "the text") }
    self.key = try P256.Signing.PrivateKey(derRepresentation: key.derBytes)
  }

  /// The signer's key and the certificates.
  public var pem: String {
    get throws {
      try ([key.pemRepresentation] + certificates.map { try $0.serializeAsPEM().pemString }).joined(separator: "\n")
    }
  }

  /// The root, to be trusted.
  public var rootPEM: String { get throws { try certificates[2].serializeAsPEM().pemString + "\n" } }

  /// A transaction (`JWSTransaction`) with this payload.
  public func transaction(_ payload: JSONObject) throws -> String {
    let chain = try certificates.map { JSONValue.string(Base64.encoded(try $0.der)) }
    let header: JSONValue = ["alg": "ES256", "x5c": .array(chain)]
    return try Self.jws(header: header.serialized(), payload: JSONValue.object(payload).serialized(), key: key)
  }

  /// A JWS in compact serialization, signed with ES256.
  public static func jws(header: [UInt8], payload: [UInt8], key: P256.Signing.PrivateKey) throws -> String {
    let text = "\(header.base64URL).\(payload.base64URL)"
    let signature = try key.signature(for: Array(text.utf8))
    return "\(text).\(Array(signature.rawRepresentation).base64URL)"
  }
}

extension [UInt8] {
  /// Base64 with the alphabet for URLs and without padding.
  public var base64URL: String {
    let standard = Base64.encoded(self).split(separator: "=", omittingEmptySubsequences: true).first ?? ""
    return String(standard.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
  }
}
