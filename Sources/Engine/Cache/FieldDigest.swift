import Crypto

/// SHA-256 over a row of fields, each with its length before it, so that no two rows give the same bytes: what ends one
/// field can never be taken for the beginning of the next.
struct FieldDigest {
  private var hash = SHA256()

  /// Adds a text; one that is missing differs from an empty one.
  mutating func add(_ text: String?) {
    guard let text else { return add(length: .max) }
    let bytes = Array(text.utf8)
    add(length: UInt64(bytes.count))
    hash.update(data: bytes)
  }

  /// Adds several texts, which differ from the same ones added singly.
  mutating func add(_ texts: [String]) {
    add(length: UInt64(texts.count))
    for text in texts { add(text) }
  }

  /// Adds a number; one that is missing differs from all others.
  mutating func add(_ number: (some CustomStringConvertible & Numeric)?) {
    add(number?.description)
  }

  /// Adds the length of what follows, or how many fields follow.
  mutating func add(length: UInt64) {
    hash.update(data: (0..<8).reversed().map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) })
  }

  /// 32 bytes.
  func finalized() -> [UInt8] { Array(hash.finalize()) }
}
