import AtelierProtocol
import Crypto
import CryptoExtras
import Encodings
import Receipts

extension GoogleVector {
  /// A receipt whose text is not the one that was signed.
  private static func altered(
    _ name: String, _ change: @escaping @Sendable (String) -> String
  ) -> GoogleVector {
    GoogleVector(name, .badSignature) { play in
      .google(change(play.text), signature: try play.signature(of: play.text, by: play.key))
    }
  }

  /// A receipt with another signature over the right text.
  private static func signature(
    _ name: String, _ refusal: ReceiptRefusal.Reason?,
    _ make: @escaping @Sendable (GooglePlay) throws -> String
  ) -> GoogleVector {
    GoogleVector(name, refusal) { play in .google(play.text, signature: try make(play)) }
  }

  /// A text that the store signs, and would not write.
  private static func text(
    _ name: String, _ refusal: ReceiptRefusal.Reason?, _ change: @escaping @Sendable (String) -> String
  ) -> GoogleVector {
    GoogleVector(name, refusal) { play in try play.receipt(change(play.text)) }
  }

  /// What the receipt looks like, whatever it says.
  static let form = alterations + signatures + texts

  private static let alterations = [
    altered("a blank more") { $0.replacing(":", with: ": ", maxReplacements: 1) },
    altered("a line break at the end") { $0 + "\n" },
    altered("another product in the text") { $0.replacing("bundle8", with: "bundle48") },
    altered("the text cut") { String($0.dropLast(1)) },
    altered("no text") { _ in "" },
    altered("a member in other letters") { $0.replacing("productId", with: "product\\u0049d") },
  ]

  private static let signatures = [
    signature("the signature of another key", .badSignature) { try $0.signature(of: $0.text, by: $0.otherKey) },
    signature("the signature of another purchase", .badSignature) { try $0.signature(of: $0.text + " ", by: $0.key) },
    signature("a signature with SHA-256", .badSignature) { play in
      let signature = try play.key.signature(for: Array(play.text.utf8), padding: .insecurePKCS1v1_5)
      return Base64.encoded(Array(signature.rawRepresentation))
    },
    signature("a signature with PSS", .badSignature) { play in
      let digest = Insecure.SHA1.hash(data: Array(play.text.utf8))
      return Base64.encoded(Array(try play.key.signature(for: digest, padding: .PSS).rawRepresentation))
    },
    signature("an empty signature", .badSignature) { _ in "" },
    signature("a signature of zeros", .badSignature) { _ in Base64.encoded([UInt8](repeating: 0, count: 256)) },
    signature("a signature of ones", .badSignature) { _ in Base64.encoded([UInt8](repeating: 255, count: 256)) },
    signature("half a signature", .badSignature) { play in
      String(try play.signature(of: play.text, by: play.key).prefix(172))
    },
    signature("garbage for a signature", .malformed) { _ in "\u{1F4B8}!" },
    signature("a line break after the signature", .malformed) { try $0.signature(of: $0.text, by: $0.key) + "\n" },
    signature("a signature without its padding", .malformed) { play in
      String(try play.signature(of: play.text, by: play.key).prefix { $0 != "=" })
    },
  ]

  private static let texts = [
    text("blanks, which Play would be free to write", nil) { $0.replacing(":", with: " : ") + "\n" },
    text("a member named twice", .malformed) { $0.dropLast() + #","productId":"bundle48"}"# },
    text("a member named twice in other letters", .malformed) { $0.dropLast() + #","quantit\u0079":3}"# },
    text("a list", .malformed) { "[\($0)]" },
    text("no JSON", .malformed) { _ in "purchase" },
    text("an empty text", .malformed) { _ in "" },
    text("more after the object", .malformed) { "\($0){}" },
    text("a very deep object", .malformed) {
      $0.dropLast() + #","more":"# + String(repeating: "[", count: 9000) + String(repeating: "]", count: 9000) + "}"
    },
    text("longer than any receipt", .tooLarge) { $0 + String(repeating: " ", count: PurchaseProof.maximumBytes) },
  ]
}
