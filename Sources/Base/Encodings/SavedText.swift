/// The bytes of a text that a person has saved with an editor or a shell: UTF-8, perhaps with a byte order mark.
public enum SavedText {
  /// An encoding that is not read.
  public enum OtherEncoding: Error, Sendable, Equatable {
    case utf16, utf32
    /// One that cannot be told from its bytes, such as Windows-1252, and the first line that is not UTF-8, from 1.
    case unknown(line: Int)

    /// What to do about it, phrased to follow the name of the text.
    public var problem: String { "\(reason)." }

    /// The same within a sentence.
    public var reason: String {
      let what =
        switch self {
        case .utf16: "is in UTF-16"
        case .utf32: "is in UTF-32"
        case .unknown(let line): "is not UTF-8 in line \(line)"
        }
      return "\(what): save it as UTF-8 and try again"
    }
  }

  /// The text without its byte order mark, in UTF-8 to the last byte: nothing is lost where it becomes a `String`.
  public static func checked(_ bytes: [UInt8]) throws(OtherEncoding) -> [UInt8] {
    let text = try withoutMark(bytes)
    guard String(validating: text, as: UTF8.self) == nil else { return text }
    // No byte of a longer character is that of a line feed.
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
    throw .unknown(line: line + 1)
  }

  /// The text without its byte order mark; the rest of it may be anything. For what checks its own bytes, as JSON does.
  ///
  /// UTF-16 and UTF-32 are known by their mark or, without one, by the zero bytes of a first character of ASCII, with
  /// which every text that is read here begins.
  public static func withoutMark(_ bytes: [UInt8]) throws(OtherEncoding) -> [UInt8] {
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { return Array(bytes.dropFirst(3)) }
    let start = Array(bytes.prefix(4))
    if start == [0xff, 0xfe, 0, 0] || start == [0, 0, 0xfe, 0xff] { throw .utf32 }
    if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) { throw .utf16 }
    let zeros = start.map { $0 == 0 }
    if zeros == [false, true, true, true] || zeros == [true, true, true, false] { throw .utf32 }
    if start.count >= 2, zeros[0] != zeros[1] { throw .utf16 }
    return bytes
  }
}
