import AtelierProtocol
import Encodings
import JSON
import SimulatedIssuers
import Support
import Testing

@testable import Identities

/// A token that is refused, and what the operator is told.
struct RefusedToken: Sendable, CustomTestStringConvertible {
  var name: String
  var hint: String
  var nonce: String?
  var make: @Sendable (Scene) throws -> String

  init(_ name: String, _ hint: String, nonce: String? = nil, _ make: @escaping @Sendable (Scene) throws -> String) {
    (self.name, self.hint, self.nonce, self.make) = (name, hint, nonce, make)
  }

  static func header(_ name: String, _ hint: String, _ change: @escaping @Sendable (inout JSONObject) -> Void) -> Self {
    Self(name, hint) { try $0.token(header: change) }
  }

  static func claims(
    _ name: String, _ hint: String, nonce: String? = nil, _ change: @escaping @Sendable (inout JSONObject) -> Void
  ) -> Self {
    Self(name, hint, nonce: nonce) { try $0.token(claims: change) }
  }

  static func flaw(_ flaw: SimulatedTokenFlaw, _ hint: String) -> Self {
    Self(flaw.rawValue, hint) { try $0.one.token(for: $0.signIn, flaw: flaw, at: Scene.now) }
  }

  /// A right token in another spelling.
  static func text(_ name: String, _ hint: String, _ change: @escaping @Sendable (String) -> String) -> Self {
    Self(name, hint) { change(try $0.token()) }
  }

  var testDescription: String { name }
}

extension RefusedToken {
  private static let noToken = "The token is no JSON Web Token"

  static let form: [RefusedToken] = [
    .text("a megabyte", "The token is longer than 16384 bytes") { _ in String(repeating: "a.", count: 1 << 19) },
    .text("a byte too long", "The token is longer than") { $0 + String(repeating: "A", count: 16_385 - $0.utf8.count) },
    .text("as long as allowed", noToken) { $0 + String(repeating: ".", count: 16_384 - $0.utf8.count) },
    .text("nothing", noToken) { _ in "" },
    .text("two parts", noToken) { $0.split(separator: ".").prefix(2).joined(separator: ".") },
    .text("four parts", noToken) { $0 + ".AA" },
    .text("five parts", noToken) { $0 + ".AA.AA" },
    .text("padding", noToken) { $0 + "=" },
    .text("the other alphabet", noToken) { $0.replacing("_", with: "/").replacing("-", with: "+") + "+" },
    .text("a blank", noToken) { $0 + " " },
    .text("a line break before it", noToken) { "\n" + $0 },
    .text("a header that is no JSON", noToken) { "AAAA." + $0.split(separator: ".").dropFirst().joined(separator: ".") },
    .text("an encrypted token", noToken) { _ in "eyJhbGciOiJSU0EtT0FFUCJ9.AA.AA.AA.AA" },
    RefusedToken("a header with a name twice", noToken) { try $0.spelling(header: { $0.dropLast() + #","alg":"RS256"}"# }) },
    RefusedToken("a claim twice", noToken) { try $0.spelling(claims: { $0.dropLast() + #","sub":"admin"}"# }) },
    RefusedToken("a claim twice in other letters", noToken) {
      try $0.spelling(claims: { $0.dropLast() + #","su\u0062":"admin"}"# })
    },
    RefusedToken("claims that are a list", noToken) { try $0.spelling(claims: { "[\($0)]" }) },
    RefusedToken("claims followed by others", noToken) { try $0.spelling(claims: { "\($0)\($0)" }) },
    RefusedToken("claims of many levels", noToken) {
      let list = String(repeating: "[", count: 50) + String(repeating: "]", count: 50)
      return try $0.spelling(claims: { $0.dropLast() + #","a":\#(list)}"# })
    },
  ]

  private static let algorithm = "The token is not signed with RS256 or ES256"

  static let header: [RefusedToken] = [
    .flaw(.unsigned, algorithm), .flaw(.confused, algorithm),
    .header("no alg", algorithm) { $0["alg"] = nil }, .header("an alg that is no text", algorithm) { $0["alg"] = 256 },
    .header("None", algorithm) { $0["alg"] = "None" }, .header("rs256", algorithm) { $0["alg"] = "rs256" },
    .header("RS512", algorithm) { $0["alg"] = "RS512" }, .header("PS256", algorithm) { $0["alg"] = "PS256" },
    .header("EdDSA", algorithm) { $0["alg"] = "EdDSA" },
    .header("crit", "The token's header has “crit”") { $0["crit"] = ["exp"] },
    .header("an empty crit", "The token's header has “crit”") { $0["crit"] = [] },
    .header("an access token", "its “typ” is not JWT") { $0["typ"] = "at+jwt" },
    .header("a logout token", "its “typ” is not JWT") { $0["typ"] = "logout+jwt" },
    .header("a kid that is no text", noToken) { $0["kid"] = 1 },
    .header("no kid among several keys", "does not have exactly one") { $0["kid"] = nil },
    .header("an unknown kid", "The token's key is not in the key set of the issuer “one”.") { $0["kid"] = "x" },
    .header("the kid of the other key", "is for another algorithm") { $0["kid"] = "es256-1" },
    .header("the other algorithm", "is for another algorithm") { $0["alg"] = "ES256" },
    RefusedToken("a key in the header", "The token's signature is not that of the issuer “one”.") { scene in
      let key = try SigningKey(.es256, id: "es256-1")
      let jwk = try key.publicJWK()
      return try scene.token(key: key, header: { $0["jwk"] = .object(jwk) })
    },
    RefusedToken("a key in the header under its own id", "The token's key is not in the key set") { scene in
      let key = try SigningKey(.es256, id: "mine")
      let jwk = try key.publicJWK()
      return try scene.token(key: key, header: { $0["jwk"] = .object(jwk) })
    },
    RefusedToken("the address of a key set in the header", "The token's key is not in the key set") { scene in
      try scene.token(key: SigningKey(.es256, id: "mine"), header: { $0["jku"] = .string(Scene.twoURL) })
    },
    RefusedToken("the address of a certificate in the header", "The token's key is not in the key set") { scene in
      try scene.token(key: SigningKey(.es256, id: "mine"), header: { $0["x5u"] = .string(Scene.twoURL) })
    },
  ]

  private static let signature = "The token's signature is not that of the issuer “one”."

  static let signatures: [RefusedToken] = [
    .flaw(.anotherKey, signature), .flaw(.unknownKey, "The token's key is not in the key set of the issuer “one”."),
    .flaw(.wrongIssuer, "The token's issuer is none of accounts.issuers"),
    RefusedToken("a key of another configured issuer", signature) { try $0.token(key: $0.two.key(.rs256)) },
    RefusedToken("a key of another configured issuer, elliptic", signature) { try $0.token(key: $0.two.key(.es256)) },
    .text("no signature", signature) { $0.split(separator: ".").prefix(2).joined(separator: ".") + "." },
    .text("a short signature", signature) { $0.split(separator: ".").prefix(2).joined(separator: ".") + ".AAAA" },
    RefusedToken("a signature in DER", signature) { scene in
      let parts = try scene.token(.es256).split(separator: ".")
      let raw = Base64URL.decoded(parts[2].utf8) ?? []
      let numbers = [raw.prefix(32), raw.suffix(32)].map { [0x02, 0x21, 0x00] + $0 }
      return parts.prefix(2).joined(separator: ".") + "." + Base64URL.encoded([0x30, 0x46] + numbers.joined())
    },
    RefusedToken("the signature of other claims", signature) { scene in
      let other = try scene.token(claims: { $0["sub"] = "admin" }).split(separator: ".")
      let parts = try scene.token().split(separator: ".")
      return [parts[0], other[1], parts[2]].joined(separator: ".")
    },
  ]

  static let issuers: [RefusedToken] = [
    .claims("no issuer", "The token's issuer is none") { $0["iss"] = nil },
    .claims("an issuer with a slash", "The token's issuer is “https://one.example” with a slash at its end") {
      $0["iss"] = "https://one.example/"
    },
    .claims("an issuer with two slashes", "The token's issuer is none") { $0["iss"] = "https://one.example//" },
    .claims("an issuer in capitals", "The token's issuer is none") { $0["iss"] = "https://ONE.example" },
    .claims("an issuer without a scheme", "The token's issuer is none") { $0["iss"] = "one.example" },
    .claims("a list of issuers", "The token's issuer is none") { $0["iss"] = ["https://one.example"] },
    .claims("the other issuer", "The token's signature is not that of the issuer “two”.") {
      $0["iss"] = "https://two.example"
    },
  ]

  private static let audience = "The token's audience is not among the audiences of the issuer “one”."
  private static let party = "The token has several audiences, and its “azp”"

  static let audiences: [RefusedToken] = [
    .flaw(.wrongAudience, audience),
    .claims("no audience", "The token's “aud” is missing") { $0["aud"] = nil },
    .claims("an audience that is no text", "The token's “aud”") { $0["aud"] = 5 },
    .claims("a list with a number", "The token's “aud”") { $0["aud"] = ["org.example.studio", 5] },
    .claims("no audience in the list", audience) { $0["aud"] = [] },
    .claims("other audiences", audience) { $0["aud"] = ["a", "b"] },
    .claims("an audience in other letters", audience) { $0["aud"] = "ORG.example.studio" },
    .claims("the beginning of an audience", audience) { $0["aud"] = "org.example" },
    .claims("several audiences without azp", party) { $0["aud"] = ["api", "org.example.studio"] },
    .claims("several audiences with the azp of another", party) {
      ($0["aud"], $0["azp"]) = (["api", "org.example.studio"], "api")
    },
  ]

  static let times: [RefusedToken] = [
    .flaw(.expired, "The token's “exp” is over."), .flaw(.future, "The token's “iat” is in the future"),
    .claims("no exp", "The token's “exp” is missing") { $0["exp"] = nil },
    .claims("an exp of null", "The token's “exp” is missing") { $0["exp"] = .null },
    .claims("an exp beyond the leeway", "The token's “exp” is over.") { $0["exp"] = Scene.seconds(-60) },
    .claims("an exp in a text", "The token's “exp”") { $0["exp"] = "1900000000" },
    .claims("an exp before 1970", "The token's “exp”") { $0["exp"] = -1 },
    .claims("an exp after 9999", "The token's “exp”") { $0["exp"] = 253_402_300_800 },
    .claims("an exp beyond numbers", "The token's “exp”") {
      $0["exp"] = .number(JSONNumber(text: "1e999") ?? JSONNumber(0))
    },
    .claims("an nbf beyond the leeway", "The token's “nbf” is in the future") { $0["nbf"] = Scene.seconds(61) },
    .claims("an iat beyond the leeway", "The token's “iat” is in the future") { $0["iat"] = Scene.seconds(61) },
    .claims("an iat in a text", "The token's “iat”") { $0["iat"] = "1" },
    .claims("an nbf that is a list", "The token's “nbf”") { $0["nbf"] = [1] },
  ]

  private static let wrongNonce = "The token's “nonce” is not the one"
  private static let subject = "The token's “sub” must be"

  static let people: [RefusedToken] = [
    .claims("no nonce", wrongNonce, nonce: "a") { _ in },
    .claims("another nonce", wrongNonce, nonce: "a") { $0["nonce"] = "b" },
    .claims("a nonce that is no text", wrongNonce, nonce: "1") { $0["nonce"] = 1 },
    .claims("a nonce in another form of Unicode", wrongNonce, nonce: "\u{e9}") { $0["nonce"] = "e\u{301}" },
    .claims("an empty nonce for one", wrongNonce, nonce: "") { $0["nonce"] = "b" },
    .claims("no sub", subject) { $0["sub"] = nil }, .claims("an empty sub", subject) { $0["sub"] = "" },
    .claims("a visitor's token", "is_anonymous") { $0["is_anonymous"] = true },
    .claims("a sub that is no text", subject) { $0["sub"] = 1 },
    .claims("a sub that is too long", subject) { $0["sub"] = .string(String(repeating: "a", count: 256)) },
    .claims("a sub with a line break", subject) { $0["sub"] = "a\nb" },
  ]

  static let all = form + header + signatures + issuers + audiences + times + people
}

extension Scene {
  /// A token with its JSON spelled in another way, signed so.
  fileprivate func spelling(
    header: (String) -> String = { $0 }, claims: (String) -> String = { $0 }
  ) throws -> String {
    let key = try one.key(.es256)
    let texts = [
      header(JSONValue.object(["alg": "ES256", "kid": .string(key.id)]).serializedText),
      claims(JSONValue.object(one.claims(of: signIn, at: Self.now)).serializedText),
    ]
    return try key.token(header: Array(texts[0].utf8), claims: Array(texts[1].utf8))
  }
}

@Suite("An identity token that is refused")
struct RefusalTests {
  @Test("a token is refused with a sentence for the person and a hint for the operator", arguments: RefusedToken.all)
  func refusals(row: RefusedToken) async throws {
    let scene = try await Scene()
    let token = try row.make(scene)
    let refusal = try #require(await scene.verifier().refusal(of: token, nonce: row.nonce))
    #expect(refusal.kind == .invalidIdentity && refusal.code == 401 && !refusal.isRetryable)
    #expect(refusal.hint?.contains(row.hint) == true, "\(refusal.hint ?? "no hint")")
    let isOver = refusal.hint == "The token's “exp” is over."
    let sentence = isOver ? "The sign-in has expired." : "The sign-in could not be verified."
    #expect(refusal.message == "\(sentence) Please sign in again.")
    for part in token.split(separator: ".") where part.count > 8 { #expect(refusal.hint?.contains(part) == false) }
    #expect(refusal.details.keys == ["hint"])
  }

  @Test("each refusal has a name of its own")
  func names() {
    #expect(Set(RefusedToken.all.map(\.name)).count == RefusedToken.all.count)
  }

  @Test("a token that is refused for its form is refused before any key is asked for")
  func order() async throws {
    let scene = try await Scene()
    for row in RefusedToken.form + [.flaw(.unsigned, ""), .flaw(.confused, ""), .flaw(.wrongIssuer, "")] {
      _ = await scene.verifier().refusal(of: try row.make(scene))
    }
    #expect(await scene.server.requests.isEmpty)
  }

  @Test("a service without issuers refuses every token")
  func nobody() async throws {
    let scene = try await Scene()
    #expect(await scene.verifier([]).refusal(of: try scene.token())?.hint?.contains("none of accounts.issuers") == true)
  }
}
