import Crypto
import CryptoExtras
import Encodings
import JSON

/// A key of an issuer, which signs tokens, and its public part as a JSON Web Key.
public struct SigningKey: Sendable {
  /// What it signs with.
  public enum Algorithm: String, Sendable, CaseIterable {
    case rs256 = "RS256"
    case es256 = "ES256"
  }

  private enum Key: Sendable {
    case rsa(_RSA.Signing.PrivateKey)
    case ecdsa(P256.Signing.PrivateKey)
  }

  /// The `kid`.
  public var id: String
  private let key: Key

  /// A new key.
  public init(_ algorithm: Algorithm, id: String) throws {
    self.id = id
    switch algorithm {
    case .rs256: key = .rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048))
    case .es256: key = .ecdsa(P256.Signing.PrivateKey())
    }
  }

  public init(_ algorithm: Algorithm, id: String, pem: String) throws {
    self.id = id
    switch algorithm {
    case .rs256: key = .rsa(try _RSA.Signing.PrivateKey(pemRepresentation: pem))
    case .es256: key = .ecdsa(try P256.Signing.PrivateKey(pemRepresentation: pem))
    }
  }

  public var algorithm: Algorithm {
    switch key {
    case .rsa: .rs256
    case .ecdsa: .es256
    }
  }

  public var pem: String {
    switch key {
    case .rsa(let key): key.pemRepresentation
    case .ecdsa(let key): key.pemRepresentation
    }
  }

  /// The public key in PEM, which an attacker who confuses algorithms takes as a secret.
  public var publicPEM: String {
    switch key {
    case .rsa(let key): key.publicKey.pemRepresentation
    case .ecdsa(let key): key.publicKey.pemRepresentation
    }
  }

  /// The public key as it stands in a key set.
  public func publicJWK() throws -> JSONObject {
    let common: JSONObject = ["kid": .string(id), "use": "sig", "alg": .string(algorithm.rawValue)]
    var members: JSONObject
    switch key {
    case .rsa(let key):
      let numbers = try key.publicKey.getKeyPrimitives()
      members = [
        "kty": "RSA", "n": .string(Base64URL.encoded(numbers.modulus)),
        "e": .string(Base64URL.encoded(numbers.publicExponent)),
      ]
    case .ecdsa(let key):
      let point = key.publicKey.rawRepresentation
      members = [
        "kty": "EC", "crv": "P-256", "x": .string(Base64URL.encoded(point.prefix(32))),
        "y": .string(Base64URL.encoded(point.suffix(32))),
      ]
    }
    for (name, value) in common { members[name] = value }
    return members
  }

  /// The signature of exactly these bytes.
  public func signature(of bytes: [UInt8]) throws -> [UInt8] {
    switch key {
    case .rsa(let key):
      Array(try key.signature(for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5).rawRepresentation)
    case .ecdsa(let key):
      Array(try key.signature(for: SHA256.hash(data: bytes)).rawRepresentation)
    }
  }

  /// A JWS of these two parts, whatever they are.
  public func token(header: [UInt8], claims: [UInt8]) throws -> String {
    let signed = "\(Base64URL.encoded(header)).\(Base64URL.encoded(claims))"
    return "\(signed).\(Base64URL.encoded(try signature(of: Array(signed.utf8))))"
  }
}
