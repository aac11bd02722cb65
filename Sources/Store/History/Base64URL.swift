import AtelierProtocol

/// Base64 for URLs, without padding (RFC 4648 section 5).
enum Base64URL {
  static func encoded(_ bytes: some Collection<UInt8>) -> String {
    String(
      Base64.encoded(Array(bytes)).compactMap { character -> Character? in
        switch character {
        case "+": "-"
        case "/": "_"
        case "=": nil
        default: character
        }
      })
  }

  /// - Returns: nil when `text` is not such base64.
  static func decoded(_ text: String) -> [UInt8]? {
    guard !text.utf8.contains(where: { [UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "=")].contains($0) })
    else { return nil }
    let standard = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    return Base64.decoded(standard + String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4))
  }
}
