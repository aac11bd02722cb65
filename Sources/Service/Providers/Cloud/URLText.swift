/// Text inside URLs.
enum URLText {
  /// Percent-encodes reserved characters (RFC 3986).
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for byte in text.utf8 {
      let scalar = Unicode.Scalar(byte)
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
      if isPlain || "-._~".utf8.contains(byte) {
        escaped.unicodeScalars.append(scalar)
      } else {
        escaped += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return escaped
  }
}
