/// A text as editors save it.
public enum SavedAs {
  /// UTF-8 with a byte order mark.
  public static func marked(_ text: String) -> [UInt8] { [0xef, 0xbb, 0xbf] + Array(text.utf8) }

  /// UTF-16 with its mark, the low byte first.
  public static func utf16(_ text: String) -> [UInt8] {
    "\u{FEFF}\(text)".utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }
}
