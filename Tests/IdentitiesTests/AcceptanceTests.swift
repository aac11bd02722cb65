import AtelierProtocol
import Encodings
import JSON
import SimulatedIssuers
import Support
import Testing

@testable import Identities

@Suite("An identity token that is right")
struct AcceptanceTests {
  private static let identity = Identity(provider: "one", subject: Scene.subject)

  @Test("a right token proves who signed in, with either algorithm", arguments: SigningKey.Algorithm.allCases)
  func algorithms(algorithm: SigningKey.Algorithm) async throws {
    let scene = try await Scene()
    var signIn = scene.signIn
    signIn.algorithm = algorithm
    let token = try scene.one.token(for: signIn, at: Scene.now)
    #expect(try await scene.verifier().identity(in: token, at: Scene.now) == Self.identity)
    let other = try scene.two.token(for: signIn, at: Scene.now)
    #expect(try await scene.verifier().identity(in: other, at: Scene.now).provider == "two")
  }

  /// What real issuers do differently.
  private static let claims: [(String, @Sendable (inout JSONObject) -> Void)] = [
    ("a list of one audience", { $0["aud"] = ["org.example.web"] }),
    ("an azp that is another app, with one audience", { $0["azp"] = "org.example.android" }),
    ("several audiences with an azp of ours", {
      ($0["aud"], $0["azp"]) = (["api", "org.example.web"], "org.example.studio")
    }),
    ("no iat", { $0["iat"] = nil }), ("a fraction of a second", { $0["exp"] = 1_795_238_460.5 }),
    ("an exponent", { $0["exp"] = .number(JSONNumber(text: "1.9e9") ?? JSONNumber(0)) }),
    ("an exp within the leeway", { $0["exp"] = Scene.seconds(-59) }),
    ("an iat and an nbf within the leeway", { ($0["iat"], $0["nbf"]) = (Scene.seconds(60), Scene.seconds(60)) }),
    ("a nonce that nobody asks for", { $0["nonce"] = "n" }), ("a nonce that is null", { $0["nonce"] = .null }),
    ("claims that nobody knows", { ($0["email"], $0["address"]) = ("a@example.org", ["country": "DE"]) }),
  ]

  @Test("a token may have what issuers add or leave out", arguments: claims.indices)
  func variants(index: Int) async throws {
    let scene = try await Scene()
    let token = try scene.token(claims: Self.claims[index].1)
    #expect(try await scene.verifier().identity(in: token, at: Scene.now) == Self.identity, "\(Self.claims[index].0)")
  }

  @Test("a header may leave the type out, or write it in small letters", arguments: [nil, "JWT", "jwt"])
  func types(type: String?) async throws {
    let scene = try await Scene()
    let token = try scene.token(header: { $0["typ"] = type.map(JSONValue.string) })
    #expect(try await scene.verifier().identity(in: token, at: Scene.now) == Self.identity)
  }

  @Test("a token without the id of its key is verified with the only one that there is")
  func unnamedKey() async throws {
    let scene = try await Scene()
    let key = try scene.one.key(.es256)
    let unknown: JSONValue = ["kty": "OKP", "crv": "Ed25519", "x": "AA", "kid": "ed"]
    await scene.server.answer(Scene.oneURL, ["keys": [unknown, .object(try key.publicJWK())]])
    let token = try scene.token(key: key, header: { $0["kid"] = nil })
    #expect(try await scene.verifier().identity(in: token, at: Scene.now) == Self.identity)
  }

  @Test("a key may be found among several of the same id")
  func sameID() async throws {
    let scene = try await Scene()
    var keys: [JSONValue] = []
    for signer in [scene.two, scene.one] {
      for algorithm in SigningKey.Algorithm.allCases {
        var key = try signer.key(algorithm)
        key.id = "same"
        keys.append(.object(try key.publicJWK()))
      }
    }
    await scene.server.answer(Scene.oneURL, ["keys": .array(keys)])
    let token = try scene.token(header: { $0["kid"] = "same" })
    #expect(try await scene.verifier().identity(in: token, at: Scene.now) == Self.identity)
  }

  @Test("the nonce that the caller names must be that of the token")
  func nonce() async throws {
    let scene = try await Scene()
    let token = try scene.token(claims: { $0["nonce"] = "n-0S6_WzA2Mj" })
    #expect(try await scene.verifier().identity(in: token, nonce: "n-0S6_WzA2Mj", at: Scene.now) == Self.identity)
  }

  @Test("a right token is no longer one after any damage", arguments: 0..<40 as Range<UInt64>)
  func damage(seed: UInt64) async throws {
    let scene = try await Scene()
    let verifier = scene.verifier()
    var mutation = Mutation(seed: seed)
    let token = try scene.token(seed.isMultiple(of: 2) ? .rs256 : .es256)
    for _ in 0..<25 {
      let text = String(decoding: mutation.damaged(Array(token.utf8)), as: UTF8.self)
      if text != token { #expect(await verifier.refusal(of: text)?.kind == .invalidIdentity, "seed \(seed): \(text)") }
      var parts = token.split(separator: ".").map { Base64URL.decoded($0.utf8) ?? [] }
      let part = mutation.number(below: 3)
      let damaged = mutation.damaged(parts[part])
      guard damaged != parts[part] else { continue }
      parts[part] = damaged
      let rest = parts.map { Base64URL.encoded($0) }.joined(separator: ".")
      #expect(await verifier.refusal(of: rest)?.kind == .invalidIdentity, "seed \(seed): \(rest)")
    }
  }

  @Test("claims that the issuer signed never get past the rules, however damaged", arguments: 0..<20 as Range<UInt64>)
  func signedNonsense(seed: UInt64) async throws {
    let scene = try await Scene()
    let verifier = scene.verifier()
    var mutation = Mutation(seed: seed)
    let key = try scene.one.key(.es256)
    let header = JSONValue.object(["alg": "ES256", "kid": .string(key.id)]).serialized()
    let claims = JSONValue.object(scene.one.claims(of: scene.signIn, at: Scene.now)).serialized()
    for _ in 0..<20 {
      let token = try key.token(header: header, claims: mutation.damaged(claims))
      guard let identity = try? await verifier.identity(in: token, at: Scene.now) else { continue }
      #expect(identity.provider == "one" && IdentitySubject.allows(identity.subject), "seed \(seed)")
    }
  }
}
