import Encodings
import FoundationEssentials
import JSON
import JWTKit

/// A public key of an issuer, with the only algorithm that it is used with here.
struct VerificationKey: Sendable {
  /// The lengths of RSA keys that are accepted, in bits. Longer ones would take long to verify with.
  static let rsaBits = 2048...8192

  private enum Key: Sendable {
    case rsa(Insecure.RSA.PublicKey)
    case ecdsa(ES256PublicKey)
  }

  let id: String?
  private let key: Key

  var algorithm: SigningAlgorithm {
    switch key {
    case .rsa: .rs256
    case .ecdsa: .es256
    }
  }

  /// - Parameter json: a JSON Web Key (RFC 7517 section 4).
  /// - Throws: ``UnusableKey`` for what is no public key of a known kind for signatures. A key whose private part stands
  ///   beside it is none either: anybody may have it.
  init(_ json: JSONValue) throws(UnusableKey) {
    guard let members = json.object else { throw .notAnObject }
    guard members["d"] == nil else { throw .privatePart }
    guard Self.isForSignatures(members) else { throw .use }
    guard members["kid"] == nil || members["kid"]?.string != nil else { throw .name }
    id = members["kid"]?.string
    switch members["kty"]?.string {
    case "RSA":
      guard Self.allows(.rs256, members) else { throw .algorithm }
      key = try Self.rsa(members)
    case "EC":
      guard Self.allows(.es256, members) else { throw .algorithm }
      key = try Self.ecdsa(members)
    default: throw .type
    }
  }

  private static func isForSignatures(_ members: JSONObject) -> Bool {
    if let use = members["use"], use.string != "sig" { return false }
    guard let operations = members["key_ops"] else { return true }
    return operations.array?.contains("verify") ?? false
  }

  /// A key that names an algorithm is for no other; one that names none is for the one of its type.
  private static func allows(_ algorithm: SigningAlgorithm, _ members: JSONObject) -> Bool {
    members["alg"].map { $0.string == algorithm.rawValue } ?? true
  }

  private static func rsa(_ members: JSONObject) throws(UnusableKey) -> Key {
    guard let modulus = members["n"]?.string, let exponent = members["e"]?.string,
      let bytes = Base64URL.decoded(modulus.utf8)?.drop(while: { $0 == 0 }), let first = bytes.first,
      Base64URL.decoded(exponent.utf8) != nil
    else { throw .unreadable }
    guard rsaBits.contains(bytes.count * 8 - first.leadingZeroBitCount) else { throw .size }
    guard let key = try? Insecure.RSA.PublicKey(modulus: modulus, exponent: exponent) else { throw .unreadable }
    return .rsa(key)
  }

  private static func ecdsa(_ members: JSONObject) throws(UnusableKey) -> Key {
    guard members["crv"]?.string == "P-256" else { throw .curve }
    guard let x = members["x"]?.string, let y = members["y"]?.string,
      [x, y].allSatisfy({ Base64URL.decoded($0.utf8)?.count == 32 }), let key = try? ES256PublicKey(parameters: (x, y))
    else { throw .unreadable }
    return .ecdsa(key)
  }

  /// Whether `token` is signed with this key, as jwt-kit verifies it.
  ///
  /// jwt-kit is given only the bytes: its own reader of tokens accepts more than one encoding of them, repeated names, and
  /// ends the process on some numbers.
  func hasSigned(_ token: IdentityToken) async -> Bool {
    guard token.algorithm == algorithm else { return false }
    let keys = JWTKeyCollection()
    switch key {
    case .rsa(let key): await keys.add(rsa: key, digestAlgorithm: .sha256)
    case .ecdsa(let key): await keys.add(ecdsa: key)
    }
    return await (try? keys.getKey().verify(token.signature, signs: token.signed)) ?? false
  }
}
