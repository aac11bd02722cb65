import AtelierProtocol
import Encodings
import GRDB
import JSON
import struct Foundation.Data

/// A column whose value does not match this version of the schema.
struct UnreadableColumn: Error {
  var name: String
}

/// Columns as values. Damage shows as an error here, never as a trap.
extension Row {
  func value<Value: DatabaseValueConvertible>(_ column: String, as type: Value.Type = Value.self) throws -> Value {
    guard let value = Value.fromDatabaseValue(try stored(column)) else { throw UnreadableColumn(name: column) }
    return value
  }

  /// In damaged tables, a column may have another name or none.
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

/// Converts texts for columns. SQLite ends a text at a zero character, so a text must not contain one.
enum StoredText {
  /// For people to read and search: replaces a zero character with U+FFFD.
  static func readable(_ text: String) -> String {
    guard text.utf8.contains(0) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value == 0 ? "\u{FFFD}" : $0 }))
  }

  /// For identifiers: a truncated one could be that of something else.
  static func identifier(_ text: String) throws(AtelierError) -> String {
    guard !text.utf8.contains(0) else {
      throw AtelierError(
        kind: .notFound, message: "An id, account or key contains a zero character. Leave it out and try again.")
    }
    return text
  }

  /// As JSON, where a zero character is escaped.
  static func json(_ value: some Encodable) throws -> String {
    String(decoding: try JSONValueEncoder().encode(value).serialized(), as: UTF8.self)
  }

  static func decode<Value: Decodable>(_ type: Value.Type = Value.self, from text: String) throws -> Value {
    try JSONValueDecoder(unknownMembers: .ignore).decode(from: try JSONValue(parsing: Array(text.utf8)))
  }
}

/// An ``AtelierError`` in a column.
struct StoredError: Codable {
  var kind: String
  var message: String
  var retryAfterMs: Int?
  var provider: ProviderID?
  var details: JSONObject
  var retryable: Bool?

  init(_ error: AtelierError) {
    kind = error.kind.rawValue
    message = error.message
    retryAfterMs = error.retryAfterMs
    provider = error.provider
    details = error.details
    retryable = error.retryable
  }

  /// The error, for the generation `id`.
  func error(about id: GenerationID) -> AtelierError {
    AtelierError(
      kind: ErrorKind(rawValue: kind) ?? .internal, message: message, retryAfterMs: retryAfterMs, generationId: id,
      provider: provider, details: details, retryable: retryable)
  }
}

// GRDB's blob type; the module is linked for GRDB in any case.

/// Bytes in a column.
struct Bytes: DatabaseValueConvertible {
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

  var databaseValue: DatabaseValue { Data(bytes).databaseValue }

  static func fromDatabaseValue(_ value: DatabaseValue) -> Bytes? {
    Data.fromDatabaseValue(value).map { Bytes(Array($0)) }
  }
}
