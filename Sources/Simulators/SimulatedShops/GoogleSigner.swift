import Crypto
import CryptoExtras
import Encodings

/// Signs purchases as Google Play does, for tests: RSA PKCS #1 v1.5 with SHA-1.
public struct GoogleSigner: Sendable {
  private let key: _RSA.Signing.PrivateKey

  /// A new key.
  public init() throws { key = try _RSA.Signing.PrivateKey(keySize: .bits2048) }

  public init(key: _RSA.Signing.PrivateKey) { self.key = key }

  public init(pem: String) throws { key = try _RSA.Signing.PrivateKey(pemRepresentation: pem) }

  public var pem: String { key.pemRepresentation }

  /// The key to verify with, as the Play Console shows a licensing key: base64 of a SubjectPublicKeyInfo.
  public var publicKey: String { Base64.encoded(Array(key.publicKey.derRepresentation)) }

  /// The signature of exactly this text, in base64.
  public func signature(of text: String) throws -> String {
    let digest = Insecure.SHA1.hash(data: Array(text.utf8))
    return Base64.encoded(Array(try key.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation))
  }
}
