import AtelierProtocol
import JSON
import Localization

/// Converts texts for columns. SQLite ends a text at a zero character, so a text must not contain one.
enum StoredText {
  /// For people to read and search: replaces a zero character with U+FFFD.
  static func readable(_ text: String) -> String {
    guard text.utf8.contains(0) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value == 0 ? "\u{FFFD}" : $0 }))
  }

  /// A sentence with its arguments, so that each reader reads it in a language of its own.
  static func readable(_ sentence: Sentence) -> String { readable(sentence.stored) }

  /// For identifiers: a truncated one could be that of something else.
  static func identifier(_ text: String) throws(AtelierError) -> String {
    guard !text.utf8.contains(0) else {
      throw AtelierError(
        .notFound, hint: "An id, account or key contains a zero character.")
    }
    return text
  }

  /// As JSON, where a zero character is escaped and a sentence has its arguments.
  static func json(_ value: some Encodable) throws -> String {
    String(decoding: try JSONValueEncoder(sentences: .whole).encode(value).serialized(), as: UTF8.self)
  }

  static func decode<Value: Decodable>(_ type: Value.Type = Value.self, from text: String) throws -> Value {
    try JSONValueDecoder(unknownMembers: .ignore).decode(from: try JSONValue(parsing: Array(text.utf8)))
  }
}
