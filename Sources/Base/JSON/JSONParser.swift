import Encodings

/// A strict RFC 8259 parser over contiguous bytes; one pass, and only the resulting strings are copied.
///
/// All reads go through `Span`, which checks bounds, so no input can cause a read outside the text.
struct JSONParser {
  private var position = 0
  private var remainingDepth: Int
  private var remainingValues: Int
  private let maximumDepth: Int
  private let maximumValues: Int

  private init(maximumDepth: Int, maximumValues: Int) {
    self.maximumDepth = maximumDepth
    self.maximumValues = maximumValues
    remainingDepth = maximumDepth
    remainingValues = maximumValues
  }

  /// Parses the single value that `bytes` must contain, with optional whitespace around it.
  static func parse(
    _ bytes: borrowing Span<UInt8>, maximumDepth: Int, maximumValues: Int = .max
  ) throws(JSONSyntaxError) -> JSONValue {
    var parser = JSONParser(maximumDepth: maximumDepth, maximumValues: maximumValues)
    let value = try parser.value(bytes)
    parser.skipWhitespace(bytes)
    guard parser.position == bytes.count else { throw JSONSyntaxError(.trailingBytes, at: parser.position) }
    return value
  }

  private mutating func value(_ bytes: borrowing Span<UInt8>) throws(JSONSyntaxError) -> JSONValue {
    skipWhitespace(bytes)
    guard position < bytes.count else { throw JSONSyntaxError(.unexpectedEnd, at: position) }
    guard remainingValues > 0 else { throw JSONSyntaxError(.tooManyValues(maximum: maximumValues), at: position) }
    remainingValues -= 1
    let byte = bytes[position]
    switch byte {
    case ASCII.quote: return .string(try string(bytes))
    case ASCII.openBrace: return .object(try object(bytes))
    case ASCII.openBracket: return .array(try array(bytes))
    case ASCII.minus, ASCII.zero...ASCII.nine: return .number(try number(bytes))
    case UInt8(ascii: "t"): return try literal("true", .bool(true), bytes)
    case UInt8(ascii: "f"): return try literal("false", .bool(false), bytes)
    case UInt8(ascii: "n"): return try literal("null", .null, bytes)
    default: throw JSONSyntaxError(.unexpectedByte(byte, expected: "a value"), at: position)
    }
  }

  private mutating func object(_ bytes: borrowing Span<UInt8>) throws(JSONSyntaxError) -> JSONObject {
    try enter()
    var object = JSONObject()
    skipWhitespace(bytes)
    if consume(ASCII.closeBrace, bytes) {
      remainingDepth += 1
      return object
    }
    while true {
      skipWhitespace(bytes)
      guard position < bytes.count else { throw JSONSyntaxError(.unexpectedEnd, at: position) }
      guard bytes[position] == ASCII.quote else {
        throw JSONSyntaxError(.unexpectedByte(bytes[position], expected: "a member name in quotes"), at: position)
      }
      let key = try string(bytes)
      skipWhitespace(bytes)
      guard consume(ASCII.colon, bytes) else { throw unexpected(bytes, expected: "':'") }
      object[key] = try value(bytes)
      skipWhitespace(bytes)
      if consume(ASCII.comma, bytes) { continue }
      guard consume(ASCII.closeBrace, bytes) else { throw unexpected(bytes, expected: "',' or '}'") }
      remainingDepth += 1
      return object
    }
  }

  private mutating func array(_ bytes: borrowing Span<UInt8>) throws(JSONSyntaxError) -> [JSONValue] {
    try enter()
    var array: [JSONValue] = []
    skipWhitespace(bytes)
    if consume(ASCII.closeBracket, bytes) {
      remainingDepth += 1
      return array
    }
    while true {
      array.append(try value(bytes))
      skipWhitespace(bytes)
      if consume(ASCII.comma, bytes) { continue }
      guard consume(ASCII.closeBracket, bytes) else { throw unexpected(bytes, expected: "',' or ']'") }
      remainingDepth += 1
      return array
    }
  }

  /// Steps over the opening bracket of an array or object.
  private mutating func enter() throws(JSONSyntaxError) {
    guard remainingDepth > 0 else { throw JSONSyntaxError(.tooDeep(maximum: maximumDepth), at: position) }
    remainingDepth -= 1
    position += 1
  }

  private mutating func number(_ bytes: borrowing Span<UInt8>) throws(JSONSyntaxError) -> JSONNumber {
    guard let length = JSONNumber.length(in: bytes, from: position) else {
      throw JSONSyntaxError(.invalidNumber, at: position)
    }
    let end = position + length
    // Otherwise "01" and "1x" would be reported as a missing comma.
    if end < bytes.count, ASCII.isDigit(bytes[end]) { throw JSONSyntaxError(.invalidNumber, at: position) }
    let text = try JSONText.string(bytes.extracting(position..<end), startingAt: position)
    position = end
    return JSONNumber(checkedText: text)
  }

  private mutating func string(_ bytes: borrowing Span<UInt8>) throws(JSONSyntaxError) -> String {
    let start = position + 1
    var end = start
    while end < bytes.count {
      let byte = bytes[end]
      if byte == ASCII.quote {
        let text = try JSONText.string(bytes.extracting(start..<end), startingAt: position)
        position = end + 1
        return text
      }
      if byte == ASCII.backslash { return try JSONText.escapedString(bytes, from: &position, firstEscape: end) }
      if byte < ASCII.space { throw JSONSyntaxError(.controlCharacter(byte), at: end) }
      end += 1
    }
    throw JSONSyntaxError(.unexpectedEnd, at: bytes.count)
  }

  private mutating func literal(
    _ text: StaticString, _ value: JSONValue, _ bytes: borrowing Span<UInt8>
  ) throws(JSONSyntaxError) -> JSONValue {
    for expected in text.description.utf8 {
      guard consume(expected, bytes) else { throw unexpected(bytes, expected: "\(text)") }
    }
    return value
  }

  private func unexpected(_ bytes: borrowing Span<UInt8>, expected: String) -> JSONSyntaxError {
    position < bytes.count
      ? JSONSyntaxError(.unexpectedByte(bytes[position], expected: expected), at: position)
      : JSONSyntaxError(.unexpectedEnd, at: position)
  }

  private mutating func consume(_ byte: UInt8, _ bytes: borrowing Span<UInt8>) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipWhitespace(_ bytes: borrowing Span<UInt8>) {
    while position < bytes.count, ASCII.isWhitespace(bytes[position]) { position += 1 }
  }
}

extension JSONValue {
  /// The default limit for the nesting of arrays and objects.
  public static let defaultMaximumDepth = 128

  /// Parses one JSON text strictly according to RFC 8259: UTF-8, no trailing commas or bytes, no leading zeros.
  ///
  /// If a member occurs twice, the last one wins. A lone surrogate escape is read as U+FFFD.
  /// - Parameter maximumDepth: how many arrays and objects may be open at once.
  /// - Parameter maximumValues: the maximum number of values in total, including the root.
  /// - Throws: ``JSONSyntaxError``; its `exceedsLimit` is true for excessive depth or too many values.
  public init(
    parsing bytes: borrowing Span<UInt8>, maximumDepth: Int = defaultMaximumDepth, maximumValues: Int = .max
  ) throws(JSONSyntaxError) {
    self = try JSONParser.parse(bytes, maximumDepth: maximumDepth, maximumValues: maximumValues)
  }

  /// Parses an array of bytes.
  public init(parsing bytes: [UInt8], maximumDepth: Int = defaultMaximumDepth) throws(JSONSyntaxError) {
    self = try JSONParser.parse(bytes.span, maximumDepth: maximumDepth)
  }

  /// Parses any bytes, such as `text.utf8`.
  public init(
    parsing bytes: some Collection<UInt8>, maximumDepth: Int = defaultMaximumDepth
  ) throws(JSONSyntaxError) {
    self = try JSONParser.parse(Array(bytes).span, maximumDepth: maximumDepth)
  }
}
