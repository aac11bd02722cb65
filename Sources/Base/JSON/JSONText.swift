import Encodings

/// Decodes the strings of a JSON text from its bytes.
enum JSONText {
  /// Decodes a string without escapes.
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

  /// More than twice the limit of 30 in Unicode's Stream-Safe Text Format (UAX 15), which no language reaches.
  private static let maximumCombiningMarks = 64

  /// Whether no run of combining marks is too long. Comparing and hashing strings sorts such runs by insertion: a run
  /// of a megabyte would take a minute in every `==`.
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
    // Not combining themselves, but they decompose entirely into combining marks.
    case "\u{F73}", "\u{F75}", "\u{F81}": true
    default: scalar.properties.canonicalCombiningClass != .notReordered
    }
  }

  /// Decodes the string that opens with the quote at `position`, and moves `position` past the closing quote.
  ///
  /// A lone surrogate is not a character, but writers that cut a string inside an emoji send them. It is read as
  /// U+FFFD, as browsers do, instead of refusing the whole message.
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

  /// The UTF-16 code unit of the `\uXXXX` escape at `index`, or nil if there is none.
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
