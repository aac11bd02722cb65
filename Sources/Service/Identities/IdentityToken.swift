import AtelierProtocol
import Encodings
import JSON

/// The algorithms with which issuers may sign: RSA PKCS #1 v1.5 and ECDSA on P-256, both with SHA-256.
///
/// There is no `none`, and nothing symmetric: with HS256, the public key would be the secret.
enum SigningAlgorithm: String, Sendable {
  case rs256 = "RS256"
  case es256 = "ES256"
}

/// An identity token as it was received: a JWS in compact serialization (RFC 7515 section 3.1). Nothing of it is verified.
///
/// Each part has only one accepted encoding, so that the same token cannot be written in two ways. Of the header, only what
/// is read here has a meaning: keys that a token brings along (`jwk`, `jku`, `x5u`, `x5c`) are never looked at.
struct IdentityToken: Sendable {
  static let maximumBytes = 16_384

  let algorithm: SigningAlgorithm
  /// The `kid` of the header.
  let keyID: String?
  let claims: JSONObject
  /// What the signature is of: header and claims, as they were received.
  let signed: [UInt8]
  let signature: [UInt8]

  /// - Throws: `invalid_identity`.
  init(_ text: String) throws(AtelierError) {
    guard text.utf8.count <= Self.maximumBytes else { throw IdentityRefusal.tooLong.error }
    let parts = Array(text.utf8).split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Base64URL.decoded(parts[0]).flatMap({ JSONObject(signed: $0) }) else {
      throw IdentityRefusal.malformed.error
    }
    // Before anything else of the token is read.
    guard let algorithm = header["alg"]?.string.flatMap(SigningAlgorithm.init) else {
      throw IdentityRefusal.wrongAlgorithm.error
    }
    // Whoever signed it wants it refused by those who do not understand the extensions (section 4.1.11).
    guard header["crit"] == nil else { throw IdentityRefusal.criticalExtensions.error }
    // The same keys may sign what is no identity token, such as `at+jwt` and `logout+jwt` (RFC 8725 section 3.11).
    guard header["typ"].map({ $0.string?.lowercased() == "jwt" }) ?? true else { throw IdentityRefusal.wrongType.error }
    let keyID = header["kid"]
    guard keyID == nil || keyID?.string != nil, let claims = Base64URL.decoded(parts[1]).flatMap({ JSONObject(signed: $0) }),
      let signature = Base64URL.decoded(parts[2])
    else { throw IdentityRefusal.malformed.error }
    self.algorithm = algorithm
    self.keyID = keyID?.string
    self.claims = claims
    self.signature = signature
    signed = Array(parts[0]) + [UInt8(ascii: ".")] + parts[1]
  }
}
