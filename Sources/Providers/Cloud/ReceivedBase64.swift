/// Base64 as providers write it (RFC 4648, sections 4 and 5): either alphabet, with or without padding. Everything else
/// is refused: a text that was cut off or mixed up is no picture.
struct ReceivedBase64: Sendable, Equatable {
  /// What it stands for.
  struct Decoded {
    var bytes: [UInt8]
    /// Whether encoding the bytes gives the very same text again, as ``Base64`` writes it.
    var isStrict: Bool
  }

  private let text: ArraySlice<UInt8>

  /// - Parameter text: a part of what was received, which is not copied.
  init(_ text: ArraySlice<UInt8>) { self.text = text }

  init(_ text: String) { self.text = Array(text.utf8)[...] }

  var string: String { String(decoding: text, as: UTF8.self) }

  /// - Returns: nil when it is not base64.
  func decoded() -> Decoded? {
    let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
    let digits = text.count - padding
    guard padding == 0 || text.count.isMultiple(of: 4), digits % 4 != 1 else { return nil }
    let wholeGroups = digits / 4
    let rest = digits % 4
    var bytes = [UInt8](repeating: 0, count: wholeGroups * 3 + max(0, rest - 1))
    var seen: UInt8 = 0
    var tail: UInt8 = 0
    do {
      let text = text.span
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
    guard seen & Self.invalid == 0 else { return nil }
    return Decoded(
      bytes: bytes, isStrict: seen & Self.ofOtherAlphabet == 0 && tail == 0 && text.count.isMultiple(of: 4))
  }

  /// Six bits of value, and two for what a text is found to have anywhere.
  private static let invalid: UInt8 = 0x80
  private static let ofOtherAlphabet: UInt8 = 0x40
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: invalid, count: 256)
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, character) in alphabet.utf8.enumerated() { values[Int(character)] = UInt8(value) }
    values[Int(UInt8(ascii: "-"))] = 62 | ofOtherAlphabet
    values[Int(UInt8(ascii: "_"))] = 63 | ofOtherAlphabet
    return values
  }()
}
