import Encodings

/// Writes compact JSON on one line.
package struct JSONSerializer {
  package private(set) var bytes: [UInt8]

  package init(reservingCapacity capacity: Int = 0) {
    bytes = []
    if capacity > 0 { bytes.reserveCapacity(capacity) }
  }

  package mutating func write(_ value: JSONValue) {
    switch value {
    case .null: write(raw: "null")
    case .bool(true): write(raw: "true")
    case .bool(false): write(raw: "false")
    case .number(let number): bytes.append(contentsOf: number.text.utf8)
    case .string(let string): write(string: string)
    case .array(let array): write(array: array)
    case .object(let object): write(object: object)
    }
  }

  package mutating func write(object: JSONObject) {
    bytes.append(ASCII.openBrace)
    var isFirst = true
    for (key, value) in object {
      if !isFirst { bytes.append(ASCII.comma) }
      isFirst = false
      write(string: key)
      bytes.append(ASCII.colon)
      write(value)
    }
    bytes.append(ASCII.closeBrace)
  }

  private mutating func write(array: [JSONValue]) {
    bytes.append(ASCII.openBracket)
    var isFirst = true
    for value in array {
      if !isFirst { bytes.append(ASCII.comma) }
      isFirst = false
      write(value)
    }
    bytes.append(ASCII.closeBracket)
  }

  /// Appends text that is already JSON.
  package mutating func write(raw text: String) { bytes.append(contentsOf: text.utf8) }

  package mutating func write(string: String) {
    bytes.append(ASCII.quote)
    let isPlain = string.utf8.withContiguousStorageIfAvailable { text in
      guard !text.contains(where: Self.mayNeedEscape) else { return false }
      bytes.append(contentsOf: text)
      return true
    }
    if isPlain != true { writeEscaped(string) }
    bytes.append(ASCII.quote)
  }

  @inline(__always)
  private static func mayNeedEscape(_ byte: UInt8) -> Bool {
    // 0xC2 and 0xE2 are the first bytes of U+0085, U+2028 and U+2029, among others.
    byte < ASCII.space || byte == ASCII.quote || byte == ASCII.backslash || byte == 0xC2 || byte == 0xE2
  }

  private mutating func writeEscaped(_ string: String) {
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": write(raw: "\\\"")
      case "\\": write(raw: "\\\\")
      case "\n": write(raw: "\\n")
      case "\r": write(raw: "\\r")
      case "\t": write(raw: "\\t")
      // Some readers (Python's splitlines, JavaScript) treat these as line ends, though JSON does not.
      case "\u{0}"..."\u{1F}", "\u{85}", "\u{2028}", "\u{2029}": writeUnicodeEscape(scalar.value)
      default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
  }

  private mutating func writeUnicodeEscape(_ value: UInt32) {
    write(raw: "\\u")
    for shift in [12, 8, 4, 0] as [UInt32] {
      let digit = UInt8(truncatingIfNeeded: value >> shift & 0xF)
      bytes.append(digit < 10 ? ASCII.zero + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}

extension JSONValue {
  /// The value as compact JSON in UTF-8: one line, without a raw newline, U+0085, U+2028 or U+2029.
  public func serialized() -> [UInt8] {
    var serializer = JSONSerializer()
    serializer.write(self)
    return serializer.bytes
  }

  /// The value as compact JSON text.
  public var serializedText: String { String(decoding: serialized(), as: UTF8.self) }
}
