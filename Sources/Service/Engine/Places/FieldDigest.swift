import Crypto

/// SHA-256 over a sequence of fields, each preceded by its length, so that no two sequences hash the same bytes: the
/// end of one field cannot pass for the beginning of the next.
struct FieldDigest {
  private var hash = SHA256()

  /// Adds a text; a missing one differs from an empty one.
  mutating func add(_ text: String?) {
    guard let text else { return add(length: .max) }
    let bytes = Array(text.utf8)
    add(length: UInt64(bytes.count))
    hash.update(data: bytes)
  }

  /// Adds a number; a missing one differs from all numbers.
  mutating func add(_ number: (some CustomStringConvertible & Numeric)?) {
    add(number?.description)
  }

  /// Adds the length of what follows.
  private mutating func add(length: UInt64) {
    hash.update(data: (0..<8).reversed().map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) })
  }

  /// 32 bytes.
  func finalized() -> [UInt8] { Array(hash.finalize()) }
}
