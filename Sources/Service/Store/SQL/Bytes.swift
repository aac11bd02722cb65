/// Bytes in a column.
struct Bytes: SQLRepresentable, Sendable {
  var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Stores numbers of eight bytes each, lowest byte first.
  init(_ numbers: some Sequence<UInt64>) {
    bytes = []
    for number in numbers {
      for shift in stride(from: 0 as UInt64, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
  }

  var numbers: [UInt64] {
    stride(from: 0, to: bytes.count, by: 8).map { start in
      bytes[start..<min(start + 8, bytes.count)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  var sqlValue: SQLValue { .bytes(bytes) }
  init?(sqlValue: SQLValue) {
    switch sqlValue {
    case .bytes(let bytes): self.bytes = bytes
    case .null, .integer, .real, .text: return nil
    }
  }
}
