import Encodings
import JSON

/// Redacts messages before they are written to a trace.
struct TraceRedaction: Sendable {
  let vocabulary: TraceVocabulary

  /// The length of a UUID: ids of this length are shown, so that a reader can pair requests and responses.
  private static let maximumIDBytes = 36
  private static let maximumNumberBytes = 24

  /// - Parameter isOurs: whether this program wrote the message.
  func redacted(_ message: JSONValue, isOurs: Bool) -> JSONValue {
    if case .array(let batch) = message { return .array(batch.map { redacted($0, isOurs: isOurs) }) }
    guard var object = message.object else { return redacted(message) }
    let (id, data) = (object["id"], object["error"]?["data"])
    object = redacted(object)
    if let id, isReadable(id) { object["id"] = id }
    if isOurs, var error = object["error"]?.object, var shown = error["data"]?.object {
      // `expected` is the program's own text; of `path`, only known member names are shown.
      if let expected = data?["expected"]?.string { shown["expected"] = .string(expected.cut(to: 500)) }
      if let path = data?["path"]?.string { shown["path"] = .string(pointer(path)) }
      error["data"] = .object(shown)
      object["error"] = .object(error)
    }
    return .object(object)
  }

  private func redacted(_ value: JSONValue) -> JSONValue {
    switch value {
    case .null, .bool: value
    case .number(let number): number.text.utf8.count <= Self.maximumNumberBytes ? value : Self.length(number.text)
    case .string(let string): isHarmless(string) ? value : Self.length(string)
    case .array(let array): .array(array.map(redacted))
    case .object(let object): .object(redacted(object))
    }
  }

  private func redacted(_ object: JSONObject) -> JSONObject {
    JSONObject(
      members: object.map { name, value in
        if vocabulary.secretMembers.contains(ExactText(name)) { return (name, "*secret*") }
        if vocabulary.members.contains(ExactText(name)) { return (name, redacted(value)) }
        return (Self.lengthText(name), .string("*\(value.kindDescription)*"))
      })
  }

  private func isHarmless(_ text: String) -> Bool {
    vocabulary.words.contains(ExactText(text)) || isGenerated(text) || Self.isTime(text)
  }

  private func isReadable(_ id: JSONValue) -> Bool {
    switch id {
    case .number(let number): number.text.utf8.count <= Self.maximumIDBytes
    case .string(let text): text.utf8.count <= Self.maximumIDBytes
    default: false
    }
  }

  private func pointer(_ path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { token in
      let name = String(token)
      let isIndex = name.utf8.count <= 4 && name.utf8.allSatisfy(ASCII.isDigit)
      return isIndex || vocabulary.members.contains(ExactText(name)) ? name : Self.lengthText(name)
    }.joined(separator: "/")
  }

  private func isGenerated(_ text: String) -> Bool {
    let digits = text.utf8.suffix(26)
    return vocabulary.identifierPrefixes.contains { text.utf8.dropLast(26).elementsEqual("\($0)_".utf8) }
      && digits.allSatisfy { Self.digitsOfULID.contains($0) }
  }

  /// Crockford's base 32, which omits i, l, o and u.
  private static let digitsOfULID = Set("0123456789abcdefghjkmnpqrstvwxyz".utf8)

  /// `2026-11-21T05:26:00.123Z`.
  private static func isTime(_ text: String) -> Bool {
    text.utf8.elementsEqual("0000-00-00T00:00:00.000Z".utf8) { byte, pattern in
      pattern == ASCII.zero ? ASCII.isDigit(byte) : byte == pattern
    }
  }

  private static func length(_ text: String) -> JSONValue { .string(lengthText(text)) }
  private static func lengthText(_ text: String) -> String { "*\(text.utf8.count) bytes*" }
}
