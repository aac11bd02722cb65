import GRDB
// What GRDB has for blobs; the module is linked for GRDB's sake in any case.
import struct Foundation.Data

/// Bytes in a column.
struct Bytes: DatabaseValueConvertible {
  var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// So many numbers, eight bytes each, the lowest first.
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

  var databaseValue: DatabaseValue { Data(bytes).databaseValue }

  static func fromDatabaseValue(_ value: DatabaseValue) -> Bytes? {
    Data.fromDatabaseValue(value).map { Bytes(Array($0)) }
  }
}
