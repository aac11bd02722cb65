import AtelierProtocol
import GRDB

/// A column that does not hold what this version of the schema promises.
struct UnreadableColumn: Error {
  var name: String
}

/// Columns as values. Damage shows as an error here, never as a trap.
extension Row {
  func value<Value: DatabaseValueConvertible>(_ column: String, as type: Value.Type = Value.self) throws -> Value {
    guard let value = Value.fromDatabaseValue(try stored(column)) else { throw UnreadableColumn(name: column) }
    return value
  }

  /// Where the tables themselves are damaged, a column may have another name or none.
  private func stored(_ column: String) throws(UnreadableColumn) -> DatabaseValue {
    do {
      return try decode(DatabaseValue.self, forColumn: column)
    } catch {
      throw UnreadableColumn(name: column)
    }
  }

  func optional<Value: DatabaseValueConvertible>(
    _ column: String, as type: Value.Type = Value.self
  ) throws -> Value? {
    if try stored(column).isNull { return nil }
    return try value(column)
  }

  func bytes(_ column: String) throws -> [UInt8] {
    guard let bytes = Hexadecimal.bytes(try value(column)) else { throw UnreadableColumn(name: column) }
    return bytes
  }

  func coded<Value: RawRepresentable<String>>(_ column: String) throws -> Value {
    guard let value = Value(rawValue: try value(column)) else { throw UnreadableColumn(name: column) }
    return value
  }

  func identifier<Value: RawRepresentable<String>>(_ column: String) throws -> Value? {
    try optional(column, as: String.self).flatMap { Value(rawValue: $0) }
  }

  func time(_ column: String) throws -> Timestamp? {
    try optional(column, as: Int64.self).map { Timestamp(milliseconds: $0) }
  }

  func json<Value: Decodable>(_ column: String, as type: Value.Type = Value.self) throws -> Value {
    try StoredText.decode(from: try value(column))
  }

  func optionalJSON<Value: Decodable>(_ column: String, as type: Value.Type = Value.self) throws -> Value? {
    try optional(column, as: String.self).map { try StoredText.decode(from: $0) }
  }
}
