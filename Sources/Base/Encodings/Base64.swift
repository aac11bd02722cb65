/// Base64 according to RFC 4648 section 4: the standard alphabet, padded, no line breaks, the unused bits of the last
/// character zero. Every byte sequence thus has exactly one encoding; ``decodedLeniently(_:)`` also reads others.
public enum Base64 {
  /// The result of decoding a text.
  public struct Decoded: Sendable, Equatable {
    public var bytes: [UInt8]
    /// Whether the text is the strict encoding of these bytes.
    public var isStrict: Bool
  }

  /// The number of bytes that `text` decodes to.
  /// - Returns: nil when `text` is not base64.
  public static func decodedCount(_ text: String) -> Int? {
    var text = text
    return text.withUTF8 { bytes in
      guard bytes.count.isMultiple(of: 4) else { return nil }
      let padding = bytes.suffix(2).reversed().prefix { $0 == paddingCharacter }.count
      let digits = bytes.dropLast(padding)
      let values = values
      guard digits.allSatisfy({ values[Int($0)] < 64 }), hasZeroTail(digits.last, padding: padding) else { return nil }
      return bytes.count / 4 * 3 - padding
    }
  }

  /// - Returns: nil when `text` is not base64.
  public static func decoded(_ text: String) -> [UInt8]? {
    decodedLeniently(text).flatMap { $0.isStrict ? $0.bytes : nil }
  }

  /// Decodes base64 of either alphabet, with or without padding (RFC 4648 sections 3.2 and 5), as servers send it.
  /// - Returns: nil when `text` is neither.
  public static func decodedLeniently(_ text: Span<UInt8>) -> Decoded? {
    var digits = text.count
    while digits > 0, text.count - digits < 2, text[digits - 1] == paddingCharacter { digits -= 1 }
    // Padding, if present, completes the last group; a single digit does not even encode one byte.
    guard digits == text.count || text.count.isMultiple(of: 4), digits % 4 != 1 else { return nil }
    let (wholeGroups, rest) = (digits / 4, digits % 4)
    var bytes = [UInt8](repeating: 0, count: wholeGroups * 3 + max(0, rest - 1))
    var seen: UInt8 = 0
    var tail: UInt8 = 0
    do {
      let table = Self.values
      let values = table.span
      var output = bytes.mutableSpan
      for group in 0..<wholeGroups {
        let (input, position) = (group * 4, group * 3)
        let a = values[Int(text[input])]
        let b = values[Int(text[input + 1])]
        let c = values[Int(text[input + 2])]
        let d = values[Int(text[input + 3])]
        seen |= a | b | c | d
        output[position] = a << 2 | (b & 0x3f) >> 4
        output[position + 1] = b << 4 | (c & 0x3f) >> 2
        output[position + 2] = c << 6 | d & 0x3f
      }
      if rest > 1 {
        let (input, position) = (wholeGroups * 4, wholeGroups * 3)
        let a = values[Int(text[input])]
        let b = values[Int(text[input + 1])]
        seen |= a | b
        output[position] = a << 2 | (b & 0x3f) >> 4
        tail = b & 0b1111
        if rest == 3 {
          let c = values[Int(text[input + 2])]
          seen |= c
          output[position + 1] = b << 4 | (c & 0x3f) >> 2
          tail = c & 0b11
        }
      }
    }
    guard seen & invalid == 0 else { return nil }
    let isStrict = seen & ofOtherAlphabet == 0 && tail == 0 && text.count.isMultiple(of: 4)
    return Decoded(bytes: bytes, isStrict: isStrict)
  }

  /// Decodes a string in the same way.
  public static func decodedLeniently(_ text: String) -> Decoded? {
    var text = text
    return text.withUTF8 { decodedLeniently($0.span) }
  }

  public static func encoded(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    append(bytes, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the base64 of `bytes` to `text`, so that a message can be assembled without a copy of it.
  public static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
    let alphabet = alphabet
    text.reserveCapacity(text.count + (bytes.count + 2) / 3 * 4)
    var start = 0
    while start < bytes.count {
      let rest = bytes.count - start
      let second = rest > 1 ? bytes[start + 1] : 0
      let third = rest > 2 ? bytes[start + 2] : 0
      text.append(alphabet[Int(bytes[start] >> 2)])
      text.append(alphabet[Int(bytes[start] & 0b11) << 4 | Int(second >> 4)])
      text.append(rest > 1 ? alphabet[Int(second & 0b1111) << 2 | Int(third >> 6)] : paddingCharacter)
      text.append(rest > 2 ? alphabet[Int(third & 0b111111)] : paddingCharacter)
      start += 3
    }
  }

  private static func hasZeroTail(_ digit: UInt8?, padding: Int) -> Bool {
    guard let digit else { return padding == 0 }
    let unused: UInt8 = [0, 0b11, 0b1111][padding]
    return values[Int(digit)] & unused == 0
  }

  private static let paddingCharacter = UInt8(ascii: "=")
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  /// Six bits hold the value; the other two are flags that can be collected over the whole text.
  private static let invalid: UInt8 = 0x80
  private static let ofOtherAlphabet: UInt8 = 0x40
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: invalid, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    values[Int(UInt8(ascii: "-"))] = 62 | ofOtherAlphabet
    values[Int(UInt8(ascii: "_"))] = 63 | ofOtherAlphabet
    return values
  }()
}

/// Base64 for URLs (RFC 4648 section 5), without padding and as strict as ``Base64``.
public enum Base64URL {
  public static func encoded(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    Base64.append(Array(bytes), to: &text)
    while text.last == UInt8(ascii: "=") { text.removeLast() }
    return String(decoding: text.map(urlCharacter), as: UTF8.self)
  }

  /// - Returns: nil when `text` is not strict base64url.
  public static func decoded(_ text: some Collection<UInt8>) -> [UInt8]? {
    var standard: [UInt8] = []
    standard.reserveCapacity(text.count + 3)
    for byte in text {
      switch byte {
      case UInt8(ascii: "-"): standard.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): standard.append(UInt8(ascii: "/"))
      case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
      default: standard.append(byte)
      }
    }
    while !standard.count.isMultiple(of: 4) { standard.append(UInt8(ascii: "=")) }
    let decoded = Base64.decodedLeniently(standard.span)
    return decoded.flatMap { $0.isStrict ? $0.bytes : nil }
  }

  private static func urlCharacter(_ character: UInt8) -> UInt8 {
    switch character {
    case UInt8(ascii: "+"): UInt8(ascii: "-")
    case UInt8(ascii: "/"): UInt8(ascii: "_")
    default: character
    }
  }
}
