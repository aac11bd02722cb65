import Crypto
import CryptoExtras
import Encodings

/// The key with which Google Play signs an app's purchases: the "licensing key" of the Play Console.
public struct GooglePublicKey: Sendable {
  /// The minimum length of a key in bits.
  public static let minimumBits = 2048

  private let key: _RSA.Signing.PublicKey

  /// Parses the key as the console shows it: base64 of a SubjectPublicKeyInfo; blanks and line breaks are ignored.
  /// - Throws: ``ReceiptConfigurationFailure``.
  public init(base64 text: String) throws(ReceiptConfigurationFailure) {
    // The library reads other formats of a key as well, but writes only this one.
    guard let der = Base64.decoded(text.filter { !$0.isWhitespace }),
      let key = try? _RSA.Signing.PublicKey(unsafeDERRepresentation: der), key.derRepresentation.elementsEqual(der)
    else { throw .unreadableKey }
    guard key.keySizeInBits >= Self.minimumBits else { throw .weakKey(bits: key.keySizeInBits) }
    self.key = key
  }

  /// Whether `signature` is this key's RSA PKCS #1 v1.5 signature with SHA-1 of `bytes`.
  ///
  /// Play signs the text itself, with no other algorithm; jwt-kit verifies only JWS, and none with SHA-1. The known
  /// attacks on SHA-1 find two texts with the same hash, which is useless to an attacker who cannot choose what Google
  /// signs.
  func signed(_ bytes: [UInt8], _ signature: [UInt8]) -> Bool {
    key.isValidSignature(
      _RSA.Signing.RSASignature(rawRepresentation: signature), for: Insecure.SHA1.hash(data: bytes),
      padding: .insecurePKCS1v1_5)
  }
}
