import AtelierProtocol
import Encodings
import JSON

/// The names of a query's columns.
final class SQLColumns: Sendable {
  let names: [String]
  /// Nil for so few columns that looking at each takes less time than making this.
  private let positions: [String: Int]?

  init(_ names: [String]) {
    self.names = names
    positions = names.count <= Self.few
      ? nil : Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private static let few = 8

  func position(of name: String) -> Int? {
    guard let positions else { return names.firstIndex(of: name) }
    return positions[name]
  }
}

/// A column whose value does not match this version of the schema.
struct UnreadableColumn: Error {
  var name: String
}

/// One row that a query found. Damage shows as an error here, never as a trap.
struct SQLRow: Sendable {
  let columns: SQLColumns
  let values: [SQLValue]

  /// In damaged tables, a column may have another name or none.
  private func stored(_ column: String) throws(UnreadableColumn) -> SQLValue {
    guard let position = columns.position(of: column), values.indices.contains(position) else {
      throw UnreadableColumn(name: column)
    }
    return values[position]
  }

  func value<Value: SQLRepresentable>(_ column: String, as type: Value.Type = Value.self) throws -> Value {
    guard let value = Value(sqlValue: try stored(column)) else { throw UnreadableColumn(name: column) }
    return value
  }

  func optional<Value: SQLRepresentable>(_ column: String, as type: Value.Type = Value.self) throws -> Value? {
    if try stored(column).isNull { return nil }
    return try value(column)
  }

  /// The first column; nil for null.
  func first<Value: SQLRepresentable>(as type: Value.Type = Value.self) throws -> Value? {
    try optional(columns.names.first ?? "")
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
