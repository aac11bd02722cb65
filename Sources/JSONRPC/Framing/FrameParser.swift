/// Cuts a byte stream into frames, whatever the pieces it arrives in. Pure: bytes in, frames out.
///
/// Holds at most one message of the allowed size; of longer ones only the envelope is looked at while they pass by.
struct FrameParser {
  /// Nil until the first non-blank byte told.
  private(set) var framing: Framing?

  private let maximumMessageBytes: Int
  private var buffer = FrameBuffer()
  private var lines: LineFraming
  private var headers: HeaderFraming
  private var isAtStart = true

  init(_ choice: FramingChoice, maximumMessageBytes: Int) {
    self.maximumMessageBytes = maximumMessageBytes
    lines = LineFraming(maximumMessageBytes: maximumMessageBytes)
    headers = HeaderFraming(maximumMessageBytes: maximumMessageBytes)
    if case .fixed(let framing) = choice { self.framing = framing }
  }

  /// Adds bytes as they come; then call ``next()`` until it has no more.
  mutating func append(_ bytes: ArraySlice<UInt8>) { buffer.append(bytes) }

  /// How many bytes wait for the rest of their message.
  var bytesHeld: Int { buffer.count }

  /// The next whole frame, or nil until more bytes come.
  mutating func next() -> Frame? {
    if isAtStart, !skipByteOrderMark() { return nil }
    switch recognised() {
    case .lines: return lines.next(&buffer)
    case .headers: return headers.next(&buffer)
    case nil: return nil
    }
  }

  /// What is left when the stream has ended.
  mutating func finish() -> Frame? {
    isAtStart = false
    switch recognised() {
    case .lines: return lines.finish(&buffer)
    case .headers: return headers.finish(&buffer)
    case nil: return nil
    }
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// - Returns: false while what has come may still become a byte order mark.
  private mutating func skipByteOrderMark() -> Bool {
    let start = buffer.bytes.prefix(3)
    guard Self.byteOrderMark.starts(with: start) else {
      isAtStart = false
      return true
    }
    guard start.count == 3 else { return false }
    buffer.drop(3)
    isAtStart = false
    return true
  }

  private mutating func recognised() -> Framing? {
    if let framing { return framing }
    buffer.drop(buffer.bytes.prefix(while: ASCII.isWhitespace).count)
    guard let first = buffer.bytes.first else { return nil }
    framing = first | 0x20 == UInt8(ascii: "c") ? .headers : .lines
    return framing
  }
}
