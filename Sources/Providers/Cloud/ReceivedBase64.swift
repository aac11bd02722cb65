/// Base64 as providers write it (RFC 4648, sections 4 and 5): either alphabet, with or without padding. Everything else
/// is refused: a text that was cut off or mixed up is no picture.
enum ReceivedBase64 {
  /// - Returns: nil when `text` is not base64.
  static func decoded(_ text: String) -> [UInt8]? {
    var text = text
    return text.withUTF8 { bytes in
      let padding = bytes.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
      let digits = bytes.count - padding
      let values = values
      guard padding == 0 || bytes.count.isMultiple(of: 4), digits % 4 != 1 else { return nil }
      var result: [UInt8] = []
      result.reserveCapacity(digits / 4 * 3 + 3)
      var group: UInt32 = 0
      for index in 0..<digits {
        let value = values[Int(bytes[index])]
        guard value != invalid else { return nil }
        group = group << 6 | UInt32(value)
        if index & 3 == 3 { append(group, 3, to: &result) }
      }
      switch digits % 4 {
      case 2: append(group << 12, 1, to: &result)
      case 3: append(group << 6, 2, to: &result)
      default: break
      }
      return result
    }
  }

  @inline(__always)
  private static func append(_ group: UInt32, _ count: Int, to result: inout [UInt8]) {
    result.append(UInt8(truncatingIfNeeded: group >> 16))
    if count > 1 { result.append(UInt8(truncatingIfNeeded: group >> 8)) }
    if count > 2 { result.append(UInt8(truncatingIfNeeded: group)) }
  }

  private static let invalid: UInt8 = 255
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: invalid, count: 256)
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, character) in alphabet.utf8.enumerated() { values[Int(character)] = UInt8(value) }
    values[Int(UInt8(ascii: "-"))] = 62
    values[Int(UInt8(ascii: "_"))] = 63
    return values
  }()
}
