import Encodings

/// NDJSON: one message per line, ended by LF or CRLF. Blank lines are ignored; the last line needs no line ending.
struct LineFraming {
  private let maximumMessageBytes: Int
  /// The number of buffered bytes already known to contain no line feed.
  private var searched = 0
  /// Set while a line that is too long is being skipped.
  private var skipped: (skimmer: EnvelopeSkimmer, bytes: Int)?

  init(maximumMessageBytes: Int) { self.maximumMessageBytes = maximumMessageBytes }

  mutating func next(_ buffer: inout FrameBuffer) -> Frame? {
    while true {
      guard let end = buffer.firstOffset(of: ASCII.lineFeed, from: searched) else {
        searched = buffer.count
        skipIfTooLong(&buffer)
        return nil
      }
      searched = 0
      let line = buffer.take(end)
      buffer.drop(1)
      if let frame = frame(line) { return frame }
    }
  }

  mutating func finish(_ buffer: inout FrameBuffer) -> Frame? {
    searched = 0
    guard buffer.count > 0 || skipped != nil else { return nil }
    return frame(buffer.take(buffer.count))
  }

  /// - Returns: nil for a blank line.
  private mutating func frame(_ line: ArraySlice<UInt8>) -> Frame? {
    let line = line.last == ASCII.carriageReturn ? line.dropLast() : line
    if skipped != nil || line.count > maximumMessageBytes {
      skip(line)
      defer { skipped = nil }
      return skipped.map { .oversized($0.skimmer.envelope, bytes: $0.bytes) }
    }
    return line.allSatisfy(ASCII.isWhitespace) ? nil : .message(line)
  }

  private mutating func skipIfTooLong(_ buffer: inout FrameBuffer) {
    // The one extra byte may be the carriage return of a line of exactly the maximum length.
    guard skipped != nil || buffer.count - 1 > maximumMessageBytes else { return }
    // A trailing carriage return may belong to the line ending, not to the message.
    let count = buffer.bytes.last == ASCII.carriageReturn ? buffer.count - 1 : buffer.count
    skip(buffer.take(count))
    searched = 0
  }

  private mutating func skip(_ bytes: ArraySlice<UInt8>) {
    var (skimmer, count) = skipped ?? (EnvelopeSkimmer(), 0)
    skimmer.consume(bytes)
    count += bytes.count
    skipped = (skimmer, count)
  }
}
