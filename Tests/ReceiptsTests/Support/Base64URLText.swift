import Encodings

@testable import Receipts

/// Takes apart what a test put together.
enum Base64URLText {
  struct Unreadable: Error {}

  static func bytes(_ text: String) throws -> [UInt8] {
    guard let bytes = Base64URL.decoded(text.utf8) else { throw Unreadable() }
    return bytes
  }
}
