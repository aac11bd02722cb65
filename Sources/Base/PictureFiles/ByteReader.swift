/// Reads numbers from the front of a collection; every read past the end returns nil.
package struct ByteReader<Bytes: RandomAccessCollection<UInt8>> {
  private var rest: Bytes.SubSequence

  package init(_ bytes: Bytes) { rest = bytes[...] }

  package var isAtEnd: Bool { rest.isEmpty }

  /// Where the next byte stands in the collection.
  package var position: Bytes.Index { rest.startIndex }

  package mutating func byte() -> UInt8? { rest.popFirst() }

  package mutating func bigEndian(_ count: Int) -> Int? { take(count).map { $0.reduce(0) { $0 << 8 | Int($1) } } }

  package mutating func littleEndian(_ count: Int) -> Int? {
    take(count).map { $0.reversed().reduce(0) { $0 << 8 | Int($1) } }
  }

  package mutating func text(_ count: Int) -> String? {
    guard let bytes = take(count) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// - Returns: nil, without consuming anything, when fewer bytes are left.
  package mutating func take(_ count: Int) -> Bytes.SubSequence? {
    guard count >= 0, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// All remaining bytes.
  package mutating func takeRest() -> Bytes.SubSequence {
    defer { rest = rest.dropFirst(rest.count) }
    return rest
  }

  /// Skips to the next byte with that value and consumes it.
  package mutating func skip(past value: UInt8) -> Bool {
    guard let index = rest.firstIndex(of: value) else { return false }
    rest = rest[rest.index(after: index)...]
    return true
  }
}
