import AtelierProtocol
import Crypto
import CryptoExtras

/// The key Google Play signs an app's purchases with: the "licensing key" of the Play Console.
public struct GooglePublicKey: Sendable {
  /// The shortest key that is accepted, in bits.
  public static let minimumBits = 2048

  private let key: _RSA.Signing.PublicKey

  /// Reads the key as the console shows it: base64 of a SubjectPublicKeyInfo; blanks and line breaks do not matter.
  /// - Throws: ``ReceiptConfigurationFailure``.
  public init(base64 text: String) throws(ReceiptConfigurationFailure) {
    // The library reads other forms of a key as well, but writes this one only.
    guard let der = Base64.decoded(text.filter { !$0.isWhitespace }),
      let key = try? _RSA.Signing.PublicKey(unsafeDERRepresentation: der), key.derRepresentation.elementsEqual(der)
    else { throw .unreadableKey }
    guard key.keySizeInBits >= Self.minimumBits else { throw .weakKey(bits: key.keySizeInBits) }
    self.key = key
  }

  /// Whether `signature` is this key's over `bytes`, by RSA PKCS #1 v1.5 with SHA-1.
  ///
  /// Play signs by nothing else. What breaks SHA-1 is finding two texts of one hash, which helps nobody who cannot
  /// choose what Google signs.
  func signed(_ bytes: [UInt8], _ signature: [UInt8]) -> Bool {
    key.isValidSignature(
      _RSA.Signing.RSASignature(rawRepresentation: signature), for: Insecure.SHA1.hash(data: bytes),
      padding: .insecurePKCS1v1_5)
  }
}
