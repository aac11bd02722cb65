/// Why a key that stands in a key set verifies nothing here.
enum UnusableKey: Error, Sendable, Equatable, CaseIterable {
  case notAnObject, privatePart, use, type, algorithm, curve, size, unreadable, name

  /// Phrased to follow "it". Nothing of the key is quoted.
  var reason: String {
    switch self {
    case .notAnObject: "is no JSON object"
    case .privatePart: "has its private part (“d”) beside it, so that anybody may have signed with it"
    case .use: "is not for signatures: its “use” is not sig, or its “key_ops” have no verify"
    case .type: "is of another type: “kty” must be RSA or EC"
    case .algorithm: "names another algorithm: “alg” must be RS256 for RSA and ES256 for EC, or absent"
    case .curve: "is on another curve: “crv” must be P-256"
    case .size:
      "is too short or too long: RSA needs \(VerificationKey.rsaBits.lowerBound) to "
        + "\(VerificationKey.rsaBits.upperBound) bits"
    case .unreadable: "is damaged: its “n” and “e”, or its “x” and “y”, are no public key in base64url"
    case .name: "has a “kid” that is no text"
    }
  }
}
