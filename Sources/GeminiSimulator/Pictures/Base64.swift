/// Base64 (RFC 4648) in both alphabets, as proto3 JSON has it: writes the standard one with padding, reads either, with
/// or without.
enum Base64 {
  private static let standard = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let urlSafe = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  private static let padding = UInt8(ascii: "=")

  /// What each byte stands for; 0xFF for a byte of neither alphabet.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, byte) in standard.enumerated() { values[Int(byte)] = UInt8(value) }
    for (value, byte) in urlSafe.enumerated() { values[Int(byte)] = UInt8(value) }
    return values
  }()

  static func encode(_ bytes: [UInt8], urlSafe isURLSafe: Bool = false) -> String {
    let alphabet = isURLSafe ? urlSafe : standard
    let length = (bytes.count + 2) / 3 * 4
    return String(unsafeUninitializedCapacity: length) { text in
      // Within the capacity asked for: four bytes are written for each three, or for the one or two left over.
      var output = 0
      func put(_ index: UInt32) {
        text[output] = alphabet[Int(index & 63)]
        output += 1
      }
      var input = 0
      while input + 3 <= bytes.count {
        let group = UInt32(bytes[input]) << 16 | UInt32(bytes[input + 1]) << 8 | UInt32(bytes[input + 2])
        for shift in [18, 12, 6, 0] as [UInt32] { put(group >> shift) }
        input += 3
      }
      guard input < bytes.count else { return output }
      let isPair = input + 1 < bytes.count
      let group = UInt32(bytes[input]) << 16 | (isPair ? UInt32(bytes[input + 1]) << 8 : 0)
      put(group >> 18)
      put(group >> 12)
      if isPair { put(group >> 6) }
      while output < length {
        text[output] = padding
        output += 1
      }
      return output
    }
  }

  /// - Returns: nil when the text is no base64.
  static func decode(_ text: String) -> [UInt8]? {
    var text = text
    return text.withUTF8 { decode($0.span) }
  }

  static func isValid(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { text in
      let values = values
      guard let end = lengthWithoutPadding(text.span) else { return false }
      return (0..<end).allSatisfy { values[Int(text[$0])] != 0xFF }
    }
  }

  /// - Returns: nil when the length is that of no base64.
  private static func lengthWithoutPadding(_ text: Span<UInt8>) -> Int? {
    var end = text.count
    while end > 0, text.count - end < 2, text[end - 1] == padding { end -= 1 }
    // Padding, where there is any, completes the last group; a single letter is not even one byte.
    return (end == text.count || text.count % 4 == 0) && end % 4 != 1 ? end : nil
  }

  private static func decode(_ text: Span<UInt8>) -> [UInt8]? {
    guard let end = lengthWithoutPadding(text) else { return nil }
    let values = values
    var bytes: [UInt8] = []
    bytes.reserveCapacity(end * 3 / 4)
    var group: UInt32 = 0
    var letters = 0
    for index in 0..<end {
      let value = values[Int(text[index])]
      guard value != 0xFF else { return nil }
      group = group << 6 | UInt32(value)
      letters += 1
      guard letters == 4 else { continue }
      bytes.append(UInt8(truncatingIfNeeded: group >> 16))
      bytes.append(UInt8(truncatingIfNeeded: group >> 8))
      bytes.append(UInt8(truncatingIfNeeded: group))
      (group, letters) = (0, 0)
    }
    if letters >= 2 { bytes.append(UInt8(truncatingIfNeeded: group >> (letters == 2 ? 4 : 10))) }
    if letters == 3 { bytes.append(UInt8(truncatingIfNeeded: group >> 2)) }
    return bytes
  }
}
