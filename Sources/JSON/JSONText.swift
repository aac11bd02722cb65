import Encodings

/// Strings of a JSON text, from bytes.
enum JSONText {
  /// The string of bytes that contain no escape.
  static func string(_ bytes: consuming Span<UInt8>, startingAt offset: Int) throws(JSONSyntaxError) -> String {
    let text: String
    let isASCII: Bool
    do {
      let valid = try UTF8Span(validating: bytes)
      isASCII = valid.isKnownASCII
      text = String(copying: valid)
    } catch {
      throw JSONSyntaxError(.invalidUTF8, at: offset)
    }
    guard isASCII || isStreamSafe(text) else {
      throw JSONSyntaxError(.tooManyCombiningMarks(maximum: maximumCombiningMarks), at: offset)
    }
    return text
  }

  /// More than twice the 30 of Unicode's Stream-Safe Text Format (UAX 15), which no language reaches.
  private static let maximumCombiningMarks = 64

  /// Whether no run of combining marks is long. Comparing and hashing strings sorts such runs by insertion: one of a
  /// megabyte would take a minute wherever it meets `==`.
  private static func isStreamSafe(_ text: String) -> Bool {
    var run = 0
    for scalar in text.unicodeScalars {
      run = scalar.value >= 0x300 && isCombining(scalar) ? run + 1 : 0
      if run > maximumCombiningMarks { return false }
    }
    return true
  }

  private static func isCombining(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    // Not combining by themselves, but nothing else is left of them when they are taken apart.
    case "\u{F73}", "\u{F75}", "\u{F81}": true
    default: scalar.properties.canonicalCombiningClass != .notReordered
    }
  }

  /// The string that opens with the quote at `position`, which is moved past the closing quote.
  ///
  /// A lone surrogate is no character, but writers that cut a string in the middle of an emoji send them; it is
  /// read as U+FFFD, as browsers do, rather than refusing the whole message.
  static func escapedString(
    _ bytes: borrowing Span<UInt8>, from position: inout Int, firstEscape: Int
  ) throws(JSONSyntaxError) -> String {
    let opening = position
    var text: [UInt8] = []
    var runStart = opening + 1
    var index = firstEscape
    while index < bytes.count {
      let byte = bytes[index]
      if byte == ASCII.quote {
        append(bytes, runStart..<index, to: &text)
        position = index + 1
        return try string(text.span, startingAt: opening)
      }
      if byte == ASCII.backslash {
        append(bytes, runStart..<index, to: &text)
        try appendEscape(bytes, at: &index, to: &text)
        runStart = index
        continue
      }
      if byte < ASCII.space { throw JSONSyntaxError(.controlCharacter(byte), at: index) }
      index += 1
    }
    throw JSONSyntaxError(.unexpectedEnd, at: bytes.count)
  }

  private static func append(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>, to text: inout [UInt8]) {
    text.reserveCapacity(text.count + range.count)
    for index in range { text.append(bytes[index]) }
  }

  private static func appendEscape(
    _ bytes: borrowing Span<UInt8>, at index: inout Int, to text: inout [UInt8]
  ) throws(JSONSyntaxError) {
    guard index + 1 < bytes.count else { throw JSONSyntaxError(.unexpectedEnd, at: bytes.count) }
    let escaped: UInt8
    switch bytes[index + 1] {
    case UInt8(ascii: "u"): return try appendUnicodeEscape(bytes, at: &index, to: &text)
    case ASCII.quote, ASCII.backslash, ASCII.slash: escaped = bytes[index + 1]
    case UInt8(ascii: "b"): escaped = 0x08
    case UInt8(ascii: "f"): escaped = 0x0C
    case UInt8(ascii: "n"): escaped = ASCII.lineFeed
    case UInt8(ascii: "r"): escaped = ASCII.carriageReturn
    case UInt8(ascii: "t"): escaped = ASCII.tab
    default: throw JSONSyntaxError(.invalidEscape, at: index)
    }
    text.append(escaped)
    index += 2
  }

  private static func appendUnicodeEscape(
    _ bytes: borrowing Span<UInt8>, at index: inout Int, to text: inout [UInt8]
  ) throws(JSONSyntaxError) {
    guard let unit = codeUnit(bytes, at: index) else { throw JSONSyntaxError(.invalidEscape, at: index) }
    index += 6
    var scalar = unit
    if unit & 0xFC00 == 0xD800, let low = codeUnit(bytes, at: index), low & 0xFC00 == 0xDC00 {
      scalar = 0x10000 + (unit & 0x3FF) << 10 + (low & 0x3FF)
      index += 6
    }
    let character = Unicode.Scalar(scalar) ?? "\u{FFFD}"
    text.append(contentsOf: UTF8.encode(character) ?? UTF8.encodedReplacementCharacter)
  }

  /// The UTF-16 code unit of the `\uXXXX` at `index`, if there is one.
  private static func codeUnit(_ bytes: borrowing Span<UInt8>, at index: Int) -> UInt32? {
    guard index + 6 <= bytes.count, bytes[index] == ASCII.backslash, bytes[index + 1] == UInt8(ascii: "u") else {
      return nil
    }
    var unit: UInt32 = 0
    for digit in index + 2..<index + 6 {
      guard let value = ASCII.hexadecimalValue(bytes[digit]) else { return nil }
      unit = unit << 4 | value
    }
    return unit
  }
}
