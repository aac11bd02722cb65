import CPostgres

/// Answers of the server, which are binary: each value becomes what SQLite would have said.
enum PostgreSQLResult {
  /// The rows of an answer.
  /// - Throws: a ``PostgreSQLFault`` for a value of a type that no statement of the store has.
  static func rows(_ result: OpaquePointer, columns: SQLColumns) throws(PostgreSQLFault) -> [SQLRow] {
    let types = (0..<cpostgres_columns(result)).map { cpostgres_column_type(result, $0) }
    var rows: [SQLRow] = []
    let count = cpostgres_rows(result)
    rows.reserveCapacity(Int(count))
    for row in 0..<count {
      var values: [SQLValue] = []
      values.reserveCapacity(types.count)
      for (column, type) in zip((0 as Int32)..., types) {
        guard !cpostgres_is_null(result, row, column), let start = cpostgres_value(result, row, column) else {
          values.append(.null)
          continue
        }
        // libpq owns the bytes until the result is cleared, which is after this function has returned.
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(cpostgres_length(result, row, column)))
        values.append(try value(Array(bytes), type: type))
      }
      rows.append(SQLRow(columns: columns, values: values))
    }
    return rows
  }

  static func columns(_ result: OpaquePointer) -> SQLColumns {
    SQLColumns(
      (0..<cpostgres_columns(result)).map { cpostgres_column_name(result, $0).map { String(cString: $0) } ?? "" })
  }

  /// How many rows a statement has changed.
  static func changes(_ result: OpaquePointer) -> Int {
    cpostgres_changes(result).flatMap { Int(String(cString: $0)) } ?? 0
  }

  /// - Parameter type: the number of the type in the server's catalogue, which is the same everywhere for these.
  static func value(_ bytes: [UInt8], type: UInt32) throws(PostgreSQLFault) -> SQLValue {
    switch type {
    // boolean, smallint, integer, bigint, oid
    case 16, 21, 23, 20, 26: return .integer(integer(bytes, isSigned: type != 26 && type != 16))
    // real, double precision
    case 700: return .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: integer(bytes, isSigned: false)))))
    case 701: return .real(Double(bitPattern: UInt64(bitPattern: integer(bytes, isSigned: false))))
    case 1700: return try numeric(bytes)
    // "char", name, text, unknown, character, varchar, xid
    case 18, 19, 25, 705, 1042, 1043: return .text(String(decoding: bytes, as: UTF8.self))
    case 17: return .bytes(bytes)
    // void
    case 2278: return .null
    default: throw PostgreSQLFault(state: "42804", message: "an answer has the type \(type), which is not expected")
    }
  }

  /// A number of up to eight bytes, highest first.
  private static func integer(_ bytes: [UInt8], isSigned: Bool) -> Int64 {
    let magnitude = bytes.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    let unused = 64 - 8 * min(bytes.count, 8)
    guard isSigned, unused < 64 else { return Int64(truncatingIfNeeded: magnitude) }
    return Int64(bitPattern: magnitude << UInt64(unused)) >> Int64(unused)
  }

  /// A sum of whole numbers is a whole number; what has a fraction becomes the nearest binary one.
  ///
  /// The bytes are the number of digits to the base 10,000, the power of the first, the sign, the number of decimals, each
  /// in two bytes, and then the digits.
  private static func numeric(_ bytes: [UInt8]) throws(PostgreSQLFault) -> SQLValue {
    func word(_ index: Int) -> Int64 {
      bytes.count >= 2 * index + 2 ? integer(Array(bytes[(2 * index)..<(2 * index + 2)]), isSigned: true) : 0
    }
    let (count, weight, sign, decimals) = (Int(word(0)), Int(word(1)), word(2), word(3))
    guard sign == 0 || sign == 0x4000, count >= 0, bytes.count == 8 + 2 * count else { return .null }
    let isNegative = sign != 0
    let digits = (0..<count).map { word(4 + $0) }
    if decimals == 0 { return .integer(try whole(digits, weight: weight, isNegative: isNegative)) }
    let text = digits.reduce("0") { text, digit in text + String(10_000 + digit).dropFirst() }
    return Double("\(isNegative ? "-" : "")\(text)e\(4 * (weight - count + 1))").map { .real($0) } ?? .null
  }

  /// - Parameter weight: the power of the first digit. Zeros at the end are left out.
  private static func whole(_ digits: [Int64], weight: Int, isNegative: Bool) throws(PostgreSQLFault) -> Int64 {
    var whole: Int64 = 0
    guard let first = digits.first, first != 0 || digits.count > 1 else { return 0 }
    for position in 0...max(weight, 0) {
      let digit = digits.indices.contains(position) ? digits[position] : 0
      let (product, overflow) = whole.multipliedReportingOverflow(by: 10_000)
      let (sum, carry) = product.addingReportingOverflow(isNegative ? -digit : digit)
      if overflow || carry { throw PostgreSQLFault(state: "22003", message: "a sum is out of range") }
      whole = sum
    }
    return whole
  }
}
