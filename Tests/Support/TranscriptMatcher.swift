import JSON

/// Compares messages with patterns, and remembers what the wild cards stood for.
public struct TranscriptMatcher: Sendable, Equatable {
  /// Where a message first differs from its pattern.
  public struct Difference: Error, Sendable, Equatable {
    /// A JSON Pointer into the message.
    public var path: String
    public var expected: String
    public var actual: String
  }

  /// The values captured by `*id:NAME*`, by name.
  public private(set) var captured: [String: JSONValue] = [:]
  /// The last number at each `*rising*`, by method, generation and place.
  private var risen: [String: Int64] = [:]

  public init() {}

  /// Compares one message.
  /// - Throws: the first difference; nothing is remembered then.
  public mutating func match(_ message: JSONValue, _ pattern: JSONValue) throws(Difference) {
    var trial = self
    let subject = "\(message["method"]?.string ?? "") \(message["params"]?["generationId"]?.string ?? "")"
    if case .array(let answers) = message, case .array(let patterns) = pattern {
      try trial.match(batch: answers, patterns)
    } else {
      try trial.match(message, pattern, at: "", of: subject)
    }
    self = trial
  }

  /// The text with each captured value in the place of its wild card.
  /// - Returns: nil when a name has no value yet.
  public func substituting(into text: String) -> String? {
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "\"*id:") {
      let name = rest[start.upperBound...].prefix { $0 != "*" }
      guard let value = captured[String(name)], rest[name.endIndex...].hasPrefix("*\"") else { return nil }
      result += rest[..<start.lowerBound] + String(decoding: value.serialized(), as: UTF8.self)
      rest = rest[name.endIndex...].dropFirst(2)
    }
    return result + rest
  }

  /// JSON-RPC 2.0 section 6: the answers to a batch come in any order.
  private mutating func match(batch answers: [JSONValue], _ patterns: [JSONValue]) throws(Difference) {
    var left = answers
    for (index, pattern) in patterns.enumerated() {
      let found = left.indices.first { position in
        var trial = self
        return (try? trial.match(left[position], pattern, at: "/\(position)", of: "")) != nil
      }
      guard let found else {
        throw Difference(
          path: "", expected: "\(Self.text(pattern)) as answer \(index)", actual: Self.text(.array(left)))
      }
      try match(left.remove(at: found), pattern, at: "/\(found)", of: "")
    }
    if !left.isEmpty { throw Difference(path: "", expected: "no more answers", actual: Self.text(.array(left))) }
  }

  private mutating func match(
    _ value: JSONValue, _ pattern: JSONValue, at path: String, of subject: String
  ) throws(Difference) {
    switch (value, pattern) {
    case (_, .string(let text)) where text.hasPrefix("*") && text.hasSuffix("*") && text.count > 2:
      try match(value, wildCard: String(text.dropFirst().dropLast()), at: path, of: subject)
    case (.object(let object), .object(let members)): try match(object, members, at: path, of: subject)
    case (.array(let elements), .array(let patterns)):
      guard elements.count == patterns.count else { throw difference(value, pattern, path) }
      for (index, pair) in zip(elements, patterns).enumerated() {
        try match(pair.0, pair.1, at: "\(path)/\(index)", of: subject)
      }
    default:
      guard value == pattern else { throw difference(value, pattern, path) }
    }
  }

  private mutating func match(
    _ object: JSONObject, _ members: JSONObject, at path: String, of subject: String
  ) throws(Difference) {
    for (name, pattern) in members where name != "…" {
      guard let value = object[name] else {
        throw Difference(path: "\(path)/\(name)", expected: Self.text(pattern), actual: "nothing")
      }
      try match(value, pattern, at: "\(path)/\(name)", of: subject)
    }
    guard members["…"] == nil else { return }
    for (name, value) in object where members[name] == nil {
      throw Difference(path: "\(path)/\(name)", expected: "nothing", actual: Self.text(value))
    }
  }

  private mutating func match(
    _ value: JSONValue, wildCard: String, at path: String, of subject: String
  ) throws(Difference) {
    switch wildCard {
    case "any": break
    case "rising":
      let key = "\(subject) \(path)"
      guard let number = value.int64, number > risen[key] ?? .min else {
        throw Difference(path: path, expected: "a number above \(risen[key] ?? .min)", actual: Self.text(value))
      }
      risen[key] = number
    case let id where id.hasPrefix("id:"):
      let name = String(id.dropFirst(3))
      if let known = captured[name] {
        guard known == value else { throw difference(value, known, path) }
      } else {
        guard value.string?.isEmpty == false else { throw difference(value, "an id", path) }
        captured[name] = value
      }
    default: throw Difference(path: path, expected: "a wild card that is known", actual: "*\(wildCard)*")
    }
  }

  private func difference(_ value: JSONValue, _ pattern: JSONValue, _ path: String) -> Difference {
    Difference(path: path, expected: Self.text(pattern), actual: Self.text(value))
  }

  private static func text(_ value: JSONValue) -> String { String(decoding: value.serialized(), as: UTF8.self) }
}
