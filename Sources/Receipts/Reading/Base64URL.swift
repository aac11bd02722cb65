import AtelierProtocol

/// Base64 as a JWS has it (RFC 7515 section 2): the alphabet for URLs, no padding, no line breaks, the unused bits of
/// the last character zero. Every sequence of bytes therefore has exactly one text.
enum Base64URL {
  /// - Returns: nil when `text` is not such base64.
  static func decoded(_ text: some Collection<UInt8>) -> [UInt8]? {
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
    return Base64.decoded(String(decoding: standard, as: UTF8.self))
  }
}
