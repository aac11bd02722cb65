import AtelierProtocol
import Crypto
import Encodings
import JSON
import Receipts
import SimulatedShops

extension AppleVector {
  /// What the receipt looks like, whatever it says: its parts, its algorithm, its signature.
  static let form = algorithms + signatures + parts + payloads

  private static func algorithm(_ name: String, _ value: JSONValue?) -> AppleVector {
    AppleVector(name, .wrongAlgorithm, .refuses) { store in
      store.header["alg"] = value
      return try store.transaction()
    }
  }

  private static let algorithms = [
    AppleVector("alg none, without a signature", .wrongAlgorithm, .refuses) { store in
      store.header["alg"] = "none"
      return try store.transaction().withoutSignature + "."
    },
    AppleVector("alg HS256, signed with the public key", .wrongAlgorithm, .refuses) { store in
      store.header["alg"] = "HS256"
      let text = try store.transaction().withoutSignature
      let key = SymmetricKey(data: Array(store.signingKey.publicKey.pemRepresentation.utf8))
      return "\(text).\(Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)).base64URL)"
    },
    algorithm("alg ES384", "ES384"),
    algorithm("alg in lower case", "es256"),
    algorithm("no alg", nil),
    algorithm("a list for alg", ["ES256"]),
    AppleVector(
      "unsigned, as Xcode's tests have it", .wrongAlgorithm, .laxer("it skips verification in Xcode"),
      libraryEnvironment: "Xcode"
    ) { store in
      store.header = ["alg": "none"]
      store.payload["environment"] = "Xcode"
      return try store.transaction(x5c: nil).withoutSignature + "."
    },
    AppleVector(
      "unsigned, as LocalTesting has it", .wrongAlgorithm, .laxer("it skips verification in LocalTesting"),
      libraryEnvironment: "LocalTesting"
    ) { store in
      store.header = ["alg": "none"]
      store.payload["environment"] = "LocalTesting"
      return try store.transaction(x5c: nil).withoutSignature + "."
    },
    AppleVector("a number in the header beyond all integers", nil, .accepts) { store in
      store.header["revision"] = 1e300
      return try store.transaction()
    },
    AppleVector("a header that must be understood", .malformed, .refuses) { store in
      store.header["crit"] = ["exp"]
      return try store.transaction()
    },
  ]

  private static let signatures = [
    AppleVector("a tampered payload", .badSignature, .refuses) { store in
      let good = try store.transaction()
      store.payload["quantity"] = 10
      let bad = try store.transaction()
      return [good.parts[0], bad.parts[1], good.parts[2]].joined(separator: ".")
    },
    AppleVector("a tampered signature", .badSignature, .refuses) { store in
      let parts = try store.transaction().parts
      var signature = try Base64URLText.bytes(parts[2])
      signature[40] ^= 1
      return [parts[0], parts[1], signature.base64URL].joined(separator: ".")
    },
    AppleVector("a signature in DER", .badSignature, .refuses) { store in
      let text = try store.transaction().withoutSignature
      let signature = try store.signingKey.signature(for: Array(text.utf8))
      return "\(text).\(Array(signature.derRepresentation).base64URL)"
    },
    AppleVector("the signature of another key", .badSignature, .refuses) { store in
      store.signingKey = P256.Signing.PrivateKey()
      return try store.transaction()
    },
    AppleVector("a signature of zeros", .badSignature, .refuses) { store in
      "\(try store.transaction().withoutSignature).\([UInt8](repeating: 0, count: 64).base64URL)"
    },
    AppleVector("half a signature", .badSignature, .refuses) { store in
      let parts = try store.transaction().parts
      return [parts[0], parts[1], try Base64URLText.bytes(parts[2]).prefix(32).map { $0 }.base64URL]
        .joined(separator: ".")
    },
    AppleVector("no signature", .badSignature, .refuses) { try $0.transaction().withoutSignature + "." },
  ]

  private static let parts = [
    AppleVector("nothing", .malformed, .refuses) { _ in "" },
    AppleVector("two parts", .malformed, .refuses) { try $0.transaction().withoutSignature },
    AppleVector("four parts", .malformed, .refuses) { try $0.transaction() + ".AAAA" },
    AppleVector("cut in the middle", .malformed, .refuses) { String(try $0.transaction().prefix(700)) },
    AppleVector("cut in the signature", .malformed, .refuses) { String(try $0.transaction().dropLast(1)) },
    AppleVector("garbage in base64", .malformed, .refuses) { _ in "!!!.???.***" },
    AppleVector("no base64 at all in the payload", .malformed, .refuses) { store in
      let parts = try store.transaction().parts
      return [parts[0], "\u{1F4B8}\u{1F4B8}", parts[2]].joined(separator: ".")
    },
    AppleVector("padded base64", .malformed, .laxer("its base64 allows padding")) { try $0.transaction() + "==" },
    AppleVector("a line break at the end", .malformed, .refuses) { try $0.transaction() + "\n" },
    AppleVector("line breaks in a certificate", .malformed, .refuses) { store in
      let texts = try store.chain().map { Base64.encoded(try $0.der) }
      return try store.transaction(x5c: .array(texts.map { .string("\($0.prefix(64))\n\($0.dropFirst(64))") }))
    },
    AppleVector("a certificate that is a number", .malformed, .refuses) { try $0.transaction(x5c: [1, 2, 3]) },
    AppleVector("certificates that are none", .untrustedRoot, .refuses) {
      try $0.transaction(x5c: ["AAAA", "AAAA", "AAAA"])
    },
    AppleVector("longer than any receipt", .tooLarge, .laxer("it has no limit")) { store in
      store.payload["storefront"] = .string(String(repeating: "A", count: PurchaseProof.maximumBytes))
      return try store.transaction()
    },
  ]

  /// A payload that the store signs, and would not write.
  private static func payload(
    _ name: String, _ library: Library, _ change: @escaping @Sendable (String) -> String
  ) -> AppleVector {
    AppleVector(name, .malformed, library) { store in
      let header = try Base64URLText.bytes(store.transaction().parts[0])
      let text = String(decoding: JSONValue.object(store.payload).serialized(), as: UTF8.self)
      return try store.transaction(header, Array(change(text).utf8))
    }
  }

  private static let payloads = [
    payload("a member named twice", .laxer("the last one counts")) { $0.dropLast() + #","quantity":1}"# },
    payload("a member named twice in other letters", .laxer("the last one counts")) {
      $0.dropLast() + #","\u0071uantity":1}"#
    },
    payload("a member named twice within another", .laxer("it does not look there")) {
      $0.dropLast() + #","more":[{"a":1,"a":2}]}"#
    },
    payload("a list", .refuses) { "[\($0)]" },
    payload("no JSON", .refuses) { "receipt: \($0)" },
    payload("more after the object", .refuses) { "\($0) {}" },
    payload("a very deep object", .laxer("it nests deeper")) {
      $0.dropLast() + #","more":"# + String(repeating: "[", count: 50) + String(repeating: "]", count: 50) + "}"
    },
    payload("nothing but values", .laxer("it has no limit")) {
      $0.dropLast() + #","more":[0"# + String(repeating: ",0", count: 2000) + "]}"
    },
    AppleVector("no date of signing", .malformed, .notAsked("it takes the present time instead")) { store in
      store.payload["signedDate"] = nil
      return try store.transaction()
    },
    AppleVector("signed before all time", .malformed, .refuses) { store in
      store.payload["signedDate"] = -1
      return try store.transaction()
    },
    AppleVector("signed after all time", .malformed, .refuses) { store in
      store.payload["signedDate"] = 253_402_300_800_000
      return try store.transaction()
    },
    AppleVector("signed at a time in quotes", .malformed, .laxer("it reads numbers in quotes")) { store in
      store.payload["signedDate"] = .string("\(AppleStore.signedAt.milliseconds)")
      return try store.transaction()
    },
  ]
}

extension String {
  var parts: [String] { split(separator: ".", omittingEmptySubsequences: false).map(String.init) }
  /// Header and payload of a JWS.
  var withoutSignature: String { parts.prefix(2).joined(separator: ".") }
}
