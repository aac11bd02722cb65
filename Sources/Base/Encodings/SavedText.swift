/// The bytes of a text that a person has saved with an editor or a shell: UTF-8, perhaps with a byte order mark.
public enum SavedText {
  /// An encoding that is recognised but not read.
  public enum OtherEncoding: String, Error, Sendable {
    case utf16 = "UTF-16"
    case utf32 = "UTF-32"

    /// What to do about it, phrased to follow the name of the text.
    public var problem: String { "is in \(rawValue): save it as UTF-8 and try again." }
  }

  /// The text without its byte order mark.
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
