import AtelierProtocol
import Crypto
import Encodings
import JSON

/// An issuer of identity tokens that nobody trusts unless told to.
///
/// It signs with the newest generation of its keys, and publishes that and the one before, as issuers do that rotate.
public struct SimulatedIssuer: Sendable {
  /// The keys of one generation, one for each algorithm.
  public struct Generation: Sendable {
    public var keys: [SigningKey]

    /// New keys.
    /// - Parameter number: which generation it is; part of the ids of its keys.
    public init(number: Int) throws {
      keys = try SigningKey.Algorithm.allCases.map { try SigningKey($0, id: Self.id($0, number)) }
    }

    public init(_ keys: [SigningKey]) { self.keys = keys }

    static func id(_ algorithm: SigningKey.Algorithm, _ number: Int) -> String {
      "\(algorithm.rawValue.lowercased())-\(number)"
    }
  }

  /// What its tokens have in `iss`.
  public var name: String
  /// From the oldest on; never empty.
  public private(set) var generations: [Generation]

  /// An issuer with new keys.
  public init(_ name: String) throws {
    self.init(name, generations: [try Generation(number: 1)])
  }

  init(_ name: String, generations: [Generation]) {
    self.name = name
    self.generations = generations
  }

  /// Signs with new keys from now on.
  public mutating func rotate() throws {
    generations.append(try Generation(number: generations.count + 1))
  }

  /// The public keys as a JSON Web Key Set.
  public func keySet() throws -> JSONValue {
    ["keys": .array(try generations.suffix(2).flatMap(\.keys).map { .object(try $0.publicJWK()) })]
  }

  /// The key that signs now.
  /// - Throws: ``UnusableIssuerKeys`` if there is none.
  public func key(_ algorithm: SigningKey.Algorithm) throws -> SigningKey {
    guard let key = generations.last?.keys.first(where: { $0.algorithm == algorithm }) else { throw UnusableIssuerKeys() }
    return key
  }
}

/// A sign-in that a token tells of.
public struct SimulatedSignIn: Sendable {
  /// The app that it is for.
  public var audience: String
  /// Who signs in.
  public var subject: String
  public var nonce: String?
  /// How long the token is good, in milliseconds.
  public var lifetimeMs: Int64 = 3_600_000
  public var algorithm = SigningKey.Algorithm.rs256

  public init(audience: String, subject: String, nonce: String? = nil) {
    self.audience = audience
    self.subject = subject
    self.nonce = nonce
  }
}

/// What is wrong with a token.
public enum SimulatedTokenFlaw: String, Sendable, CaseIterable {
  case expired
  /// Issued in the future.
  case future
  case wrongAudience = "wrong-audience"
  case wrongIssuer = "wrong-issuer"
  /// Signed by somebody else's key, under the id of the issuer's.
  case anotherKey = "another-key"
  /// Signed by a key whose id is not in the key set.
  case unknownKey = "unknown-key"
  /// Signed by the first key that there was, which is published until the second rotation.
  case oldKey = "old-key"
  /// `alg` is `none`, without a signature.
  case unsigned
  /// `alg` is HS256, with the public key as the secret.
  case confused
}

extension SimulatedIssuer {
  /// A token for a sign-in at `now`.
  /// - Parameter flaw: what is wrong with it; nil for a right one.
  public func token(for signIn: SimulatedSignIn, flaw: SimulatedTokenFlaw? = nil, at now: Timestamp) throws -> String {
    var key = try key(signIn.algorithm)
    let id = key.id
    switch flaw {
    case .anotherKey: key = try SigningKey(signIn.algorithm, id: id)
    case .unknownKey: key = try SigningKey(signIn.algorithm, id: "\(id)-unknown")
    case .oldKey: key = generations.first?.keys.first { $0.algorithm == signIn.algorithm } ?? key
    default: break
    }
    var header: JSONObject = ["alg": .string(signIn.algorithm.rawValue), "kid": .string(key.id), "typ": "JWT"]
    let claims = JSONValue.object(claims(of: signIn, flaw: flaw, at: now)).serialized()
    switch flaw {
    case .unsigned:
      header["alg"] = "none"
      return "\(Base64URL.encoded(JSONValue.object(header).serialized())).\(Base64URL.encoded(claims))."
    case .confused:
      header["alg"] = "HS256"
      let signed = "\(Base64URL.encoded(JSONValue.object(header).serialized())).\(Base64URL.encoded(claims))"
      let secret = SymmetricKey(data: Array(key.publicPEM.utf8))
      let code = HMAC<SHA256>.authenticationCode(for: Array(signed.utf8), using: secret)
      return "\(signed).\(Base64URL.encoded(Array(code)))"
    default:
      return try key.token(header: JSONValue.object(header).serialized(), claims: claims)
    }
  }

  /// The claims of a token for a sign-in.
  public func claims(of signIn: SimulatedSignIn, flaw: SimulatedTokenFlaw? = nil, at now: Timestamp) -> JSONObject {
    let hour: Int64 = 3_600_000
    var issued = now.milliseconds
    if flaw == .expired { issued -= signIn.lifetimeMs + hour }
    if flaw == .future { issued += hour }
    var claims: JSONObject = [
      "iss": .string(flaw == .wrongIssuer ? "\(name)/another" : name),
      "aud": .string(flaw == .wrongAudience ? "\(signIn.audience).another" : signIn.audience),
      "sub": .string(signIn.subject), "iat": Self.seconds(issued), "exp": Self.seconds(issued + signIn.lifetimeMs),
    ]
    if let nonce = signIn.nonce { claims["nonce"] = .string(nonce) }
    return claims
  }

  private static func seconds(_ milliseconds: Int64) -> JSONValue { .number(JSONNumber(milliseconds / 1000)) }
}
