/// Why what an operator configured cannot be used to verify receipts.
public enum ReceiptConfigurationFailure: Error, Sendable, Equatable {
  /// Neither a PEM nor a DER file with exactly one certificate of an authority.
  case unreadableRoot
  /// Not base64 of an RSA key as Google's console shows it (SubjectPublicKeyInfo).
  case unreadableKey
  /// An RSA key shorter than ``GooglePublicKey/minimumBits``.
  case weakKey(bits: Int)

  /// One sentence for the operator, with what to do about it; it never quotes what was configured.
  public var sentence: String {
    switch self {
    case .unreadableRoot:
      "The root certificate cannot be read: give a PEM or DER file with one certificate of an authority."
    case .unreadableKey:
      "The Google Play public key cannot be read: copy the base64 text of the licensing key from the Play Console."
    case .weakKey(let bits):
      "The Google Play public key has only \(bits) bits: at least \(GooglePublicKey.minimumBits) are needed."
    }
  }
}
