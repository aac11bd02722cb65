/// Base64 as RFC 4648 section 4 has it, and nothing else: the standard alphabet, padded, no line breaks, the unused
/// bits of the last character zero. Every sequence of bytes therefore has exactly one text.
public enum Base64 {
  /// How many bytes `text` stands for.
  /// - Returns: nil when `text` is not base64.
  public static func decodedCount(_ text: String) -> Int? {
    var text = text
    return text.withUTF8 { bytes in
      guard bytes.count.isMultiple(of: 4) else { return nil }
      let padding = bytes.suffix(2).reversed().prefix { $0 == paddingCharacter }.count
      let digits = bytes.dropLast(padding)
      guard digits.allSatisfy({ values[Int($0)] != invalid }), hasZeroTail(digits.last, padding: padding) else {
        return nil
      }
      return bytes.count / 4 * 3 - padding
    }
  }

  /// - Returns: nil when `text` is not base64.
  public static func decoded(_ text: String) -> [UInt8]? {
    guard let count = decodedCount(text) else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(count + 2)
    var group: UInt32 = 0
    var digits = 0
    for byte in text.utf8 where byte != paddingCharacter {
      group = group << 6 | UInt32(values[Int(byte)])
      digits += 1
      if digits.isMultiple(of: 4) {
        result.append(UInt8(truncatingIfNeeded: group >> 16))
        result.append(UInt8(truncatingIfNeeded: group >> 8))
        result.append(UInt8(truncatingIfNeeded: group))
      }
    }
    switch digits % 4 {
    case 2: result.append(UInt8(truncatingIfNeeded: group >> 4))
    case 3:
      result.append(UInt8(truncatingIfNeeded: group >> 10))
      result.append(UInt8(truncatingIfNeeded: group >> 2))
    default: break
    }
    return result
  }

  public static func encoded(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    append(bytes, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Writes the base64 of `bytes` at the end of `text`, so that a message can be put together without a copy of it.
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
  private static let invalid: UInt8 = 255
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: invalid, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()
}
