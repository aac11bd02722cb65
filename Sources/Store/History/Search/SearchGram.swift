import AtelierProtocol

/// Short runs of bytes, as numbers below ``slots``: a text that contains a needle has all the needle's runs.
///
/// Bytes and not letters, so that one Chinese character, which has three, is found as quickly as three Latin letters.
/// Without regard to ASCII case, as LIKE.
enum SearchGram {
  static let slots = 32_768

  /// What a needle of so many bytes is cut into: the longer the runs, the rarer they are.
  private static let lengths = [5, 3, 2]
  /// More of them hardly rule out more.
  private static let mostOfNeedle = 16

  /// Calls `body` for each run of `text`, of each length.
  static func forEach(in text: String, _ body: (Int) -> Void) {
    var text = text
    text.withUTF8 { bytes in
      var window: UInt64 = 0
      for (index, byte) in bytes.enumerated() {
        window = window << 8 | UInt64(folded(byte))
        for length in lengths where index + 1 >= length { body(slot(window, length)) }
      }
    }
  }

  /// The runs that every text with this needle in it has; none for a needle of one byte.
  static func slots(of needle: String) -> [Int] {
    let bytes = Array(needle.utf8)
    guard let length = lengths.first(where: { $0 <= bytes.count }) else { return [] }
    var slots: [Int] = []
    var window: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      window = window << 8 | UInt64(folded(byte))
      if index + 1 >= length { slots.append(slot(window, length)) }
    }
    let step = max(1, slots.count / mostOfNeedle)
    return stride(from: 0, to: slots.count, by: step).map { slots[$0] }
  }

  private static func folded(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static func slot(_ window: UInt64, _ length: Int) -> Int {
    let run = window & (1 << UInt64(length * 8) - 1) | UInt64(length) << 56
    // Multiplicative hashing: the upper bits of the product depend on all of the run.
    return Int((run &* 0x9E37_79B9_7F4A_7C15) >> 49)
  }
}
