import AtelierProtocol
import CurlHTTP
import Encodings
import JSON
import SimulatedIssuers
import Support
import Testing

@testable import Identities

@Suite("A key set")
struct KeySetTests {
  /// A key of the first issuer with changed members.
  private static func key(
    _ algorithm: SigningKey.Algorithm, _ scene: Scene, _ change: (inout JSONObject) -> Void = { _ in }
  ) throws -> JSONValue {
    var members = try scene.one.key(algorithm).publicJWK()
    change(&members)
    return .object(members)
  }

  private struct Change: Sendable {
    var name: String
    var algorithm: SigningKey.Algorithm
    /// Why it cannot be used; nil if it can.
    var reason: UnusableKey?
    var make: @Sendable (inout JSONObject) -> Void

    init(
      _ name: String, _ algorithm: SigningKey.Algorithm = .rs256, is reason: UnusableKey? = nil,
      _ make: @escaping @Sendable (inout JSONObject) -> Void
    ) {
      (self.name, self.algorithm, self.reason, self.make) = (name, algorithm, reason, make)
    }
  }

  /// The base64url of a number of so many bits.
  private static func number(bits: Int) -> JSONValue {
    var bytes = [UInt8](repeating: 0xff, count: (bits + 7) / 8)
    bytes[0] = 0xff >> UInt8((8 - bits % 8) % 8)
    return .string(Base64URL.encoded(bytes))
  }

  private static let unusable = [
    Change("for encryption", is: .use) { $0["use"] = "enc" },
    Change("for signing only", is: .use) { $0["key_ops"] = ["sign"] },
    Change("of another algorithm", is: .algorithm) { $0["alg"] = "PS256" },
    Change("of another length of hash", is: .algorithm) { $0["alg"] = "RS512" },
    Change("of the other type", is: .algorithm) { $0["alg"] = "ES256" },
    Change("symmetric", is: .type) { $0["kty"] = "oct" },
    Change("of an unknown type", is: .type) { $0["kty"] = "XYZ" },
    Change("without a type", is: .type) { $0["kty"] = nil },
    Change("with its private part", is: .privatePart) { $0["d"] = "AQAB" },
    Change("without a modulus", is: .unreadable) { $0["n"] = nil },
    Change("with a modulus in other base64", is: .unreadable) { $0["n"] = "+/==" },
    Change("without an exponent", is: .unreadable) { $0["e"] = nil },
    Change("with the exponent 1", is: .unreadable) { $0["e"] = "AQ" },
    Change("with an even exponent", is: .unreadable) { $0["e"] = "BA" },
    Change("of 1024 bits", is: .size) { $0["n"] = number(bits: 1024) },
    Change("of 2047 bits", is: .size) { $0["n"] = number(bits: 2047) },
    Change("of 2047 bits with zeros before", is: .size) {
      $0["n"] = .string(Base64URL.encoded([0, 0, 0, 0x7f] + [UInt8](repeating: 0xff, count: 255)))
    },
    Change("of 8193 bits", is: .size) { $0["n"] = number(bits: 8193) },
    Change("with an id that is no text", is: .name) { $0["kid"] = 1 },
    Change("on another curve", .es256, is: .curve) { $0["crv"] = "P-384" },
    Change("on the curve of Bitcoin", .es256, is: .curve) { $0["crv"] = "secp256k1" },
    Change("that is no point of the curve", .es256, is: .unreadable) {
      $0["y"] = .string(Base64URL.encoded([UInt8](repeating: 1, count: 32)))
    },
    Change("with a short coordinate", .es256, is: .unreadable) { $0["x"] = "AQAB" },
    Change("without a coordinate", .es256, is: .unreadable) { $0["y"] = nil },
  ]

  @Test("a key that is not understood or not strong enough is left out", arguments: unusable.indices)
  func skipped(index: Int) async throws {
    let change = Self.unusable[index]
    let scene = try await Scene()
    let key = try Self.key(change.algorithm, scene, change.make)
    let other = try Self.key(change.algorithm == .rs256 ? .es256 : .rs256, scene)
    let set = try KeySet(JSONValue.object(["keys": [key, 5, other]]).serializedText)
    #expect(set.keys.count == 1, "a key \(change.name)")
    #expect(set.unusable.map(\.reason) == [change.reason, .notAnObject], "a key \(change.name)")
    // Whoever runs the service is told that the key is there, and what is wrong with it.
    await scene.server.answer(Scene.oneURL, ["keys": [key, other]])
    let hint = try #require(await scene.verifier().refusal(of: try scene.token(change.algorithm))?.hint)
    let told = change.reason == .name ? "The token's key is not in the key set of the issuer “one”."
      : "The token's key is in the key set of the issuer “one”, but cannot be used: it \(change.reason?.reason ?? "")."
    #expect(hint == told, "a key \(change.name)")
  }

  @Test("each reason against a key is that of a key in the table")
  func reasons() {
    #expect(Set(Self.unusable.compactMap(\.reason)).union([.notAnObject]) == Set(UnusableKey.allCases))
  }

  private static let usable = [
    Change("without use") { $0["use"] = nil }, Change("without alg") { $0["alg"] = nil },
    Change("without an id") { $0["kid"] = nil }, Change("for verification") { $0["key_ops"] = ["verify"] },
    Change("with its certificate") { $0["x5c"] = ["AAAA"] },
    Change("with a zero before its modulus") {
      $0["n"] = .string(Base64URL.encoded([0] + (Base64URL.decoded(($0["n"]?.string ?? "").utf8) ?? [])))
    },
    Change("without alg", .es256) { $0["alg"] = nil },
  ]

  @Test("a key may leave out what is not needed, and have more", arguments: usable.indices)
  func understood(index: Int) async throws {
    let change = Self.usable[index]
    let scene = try await Scene()
    let key = try Self.key(change.algorithm, scene, change.make)
    let set = try KeySet(JSONValue.object(["keys": [key]]).serializedText)
    let only = try #require(set.keys.first, "a key \(change.name)")
    #expect(await only.hasSigned(try IdentityToken(try scene.token(change.algorithm))))
    #expect(await !only.hasSigned(try IdentityToken(try scene.token(key: scene.two.key(change.algorithm)))))
  }

  @Test("a set of a hundred keys is used, and one of more is refused with one sentence")
  func size() async throws {
    let scene = try await Scene()
    let key = try Self.key(.es256, scene)
    func document(_ count: Int) -> String {
      JSONValue.object(["keys": .array([JSONValue](repeating: key, count: count))]).serializedText
    }
    #expect(try KeySet(document(100)).keys.count == 100)
    #expect(throws: KeySetFailure.tooManyKeys) { try KeySet(document(101)) }
    let small = [JSONValue](repeating: ["kty": "EC", "crv": "P-256", "x": "AA", "y": "AA", "kid": "a"], count: 10_000)
    await scene.server.answer(Scene.oneURL, ["keys": .array(small)])
    let refusal = try #require(await scene.verifier().refusal(of: try scene.token()))
    #expect(refusal.kind == .providerUnavailable)
    #expect(refusal.hint == "There is no key set of the issuer “one”. It has more than 100 keys.")
  }

  @Test("a document that is no key set is refused", arguments: [
    "", "{}", "[]", "{\"keys\":{}}", "{\"keys\":null}", "{\"keys\":[]", "null", "<html></html>", "{\"keys\":[]}{}",
  ])
  func noKeySet(document: String) {
    #expect(throws: KeySetFailure.noKeySet) { try KeySet(document) }
  }

  @Test("a key set without a usable key refuses every token")
  func empty() async throws {
    let scene = try await Scene()
    await scene.server.answer(Scene.oneURL, ["keys": []])
    #expect(await scene.verifier().refusal(of: try scene.token())?.hint?.contains("not in the key set") == true)
    let unnamed = try scene.token(header: { $0["kid"] = nil })
    #expect(await scene.verifier().refusal(of: unnamed)?.hint?.contains("does not have exactly one") == true)
  }
}
