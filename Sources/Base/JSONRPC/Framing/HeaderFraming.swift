import Encodings
import JSON

/// `Content-Length` framing as defined by LSP 3.17. Header names are case-insensitive. A bare LF counts as CRLF; blank
/// lines before a header block and headers with other names are ignored.
///
/// After a malformed header block, the end of its message is unknown: parsing resumes at the next `Content-Length:`.
struct HeaderFraming {
  private enum State {
    case block
    case body(length: Int)
    case skipping(EnvelopeSkimmer, length: Int, remaining: Int)
    case searching
  }

  /// The maximum size of a header block; no legitimate block is longer.
  static let maximumBlockBytes = 8 << 10

  /// Limits the memory that a header alone can make the parser reserve.
  private static let maximumReservedBytes = 64 << 20

  private static let lengthName = Array("content-length".utf8)

  private let maximumMessageBytes: Int
  private var state = State.block

  init(maximumMessageBytes: Int) { self.maximumMessageBytes = maximumMessageBytes }

  mutating func next(_ buffer: inout FrameBuffer) -> Frame? {
    while true {
      switch state {
      case .block:
        switch readBlock(&buffer) {
        case .needsMore: return nil
        case .understood: continue
        case .malformed(let message): return .malformed(message)
        }
      case .body(let length):
        guard buffer.count >= length else { return nil }
        state = .block
        return .message(buffer.take(length))
      case .skipping(var skimmer, let length, let remaining):
        let bytes = buffer.take(remaining)
        skimmer.consume(bytes)
        guard bytes.count == remaining else {
          state = .skipping(skimmer, length: length, remaining: remaining - bytes.count)
          return nil
        }
        state = .block
        return .oversized(skimmer.envelope, bytes: length)
      case .searching:
        guard findBlock(&buffer) else { return nil }
        state = .block
      }
    }
  }

  mutating func finish(_ buffer: inout FrameBuffer) -> Frame? {
    defer {
      state = .block
      buffer.drop(buffer.count)
    }
    switch state {
    case .block:
      let isBlank = buffer.bytes.allSatisfy(ASCII.isWhitespace)
      return isBlank ? nil : .malformed("The input ended in the middle of the headers of a message.")
    case .body(let length):
      return .malformed("The input ended after \(buffer.count) of the \(length) bytes of a message.")
    case .skipping(let skimmer, let length, _): return .oversized(skimmer.envelope, bytes: length)
    case .searching: return nil
    }
  }

  private enum BlockOutcome {
    case needsMore
    case understood
    case malformed(String)
  }

  private mutating func readBlock(_ buffer: inout FrameBuffer) -> BlockOutcome {
    buffer.drop(buffer.bytes.prefix(while: ASCII.isWhitespace).count)
    let block: ArraySlice<UInt8> = buffer.bytes.prefix(Self.maximumBlockBytes)
    // JSON without headers is full of colons; parsed as headers, it would hide the block that follows it.
    if let first = block.first, first == ASCII.openBrace || first == ASCII.openBracket {
      return malformed("A message has no Content-Length header.", &buffer)
    }
    var headers = HeaderBlock()
    var lineStart = block.startIndex
    while let lineEnd = block[lineStart...].firstIndex(of: ASCII.lineFeed) {
      let line = HeaderBlock.trimmed(block[lineStart..<lineEnd])
      lineStart = lineEnd + 1
      if line.isEmpty { return finishBlock(headers, bytes: lineStart - block.startIndex, &buffer) }
      if let message = headers.add(line) { return malformed(message, &buffer, bytes: lineStart - block.startIndex) }
    }
    if block.count == Self.maximumBlockBytes {
      return malformed(
        "The headers of a message are longer than \(Self.maximumBlockBytes) bytes.", &buffer, bytes: block.count)
    }
    return .needsMore
  }

  private mutating func finishBlock(
    _ headers: HeaderBlock, bytes: Int, _ buffer: inout FrameBuffer
  ) -> BlockOutcome {
    guard let length = headers.contentLength else {
      return malformed("A message has no Content-Length header.", &buffer)
    }
    buffer.drop(bytes)
    if length > maximumMessageBytes {
      state = .skipping(EnvelopeSkimmer(), length: length, remaining: length)
    } else {
      if length > buffer.count { buffer.reserve(min(length, Self.maximumReservedBytes)) }
      state = .body(length: length)
    }
    return .understood
  }

  /// - Parameter bytes: the number of bytes to skip, so that the same fault is not reported twice.
  private mutating func malformed(
    _ message: String, _ buffer: inout FrameBuffer, bytes: Int = 1
  ) -> BlockOutcome {
    buffer.drop(bytes)
    state = .searching
    return .malformed(message)
  }

  /// Drops everything before the next `Content-Length`.
  private func findBlock(_ buffer: inout FrameBuffer) -> Bool {
    var offset = 0
    let bytes = buffer.bytes
    for index in bytes.indices where bytes[index] | 0x20 == UInt8(ascii: "c") {
      offset = index - bytes.startIndex
      let candidate = bytes[index...].prefix(Self.lengthName.count + 1)
      let isName = zip(candidate, Self.lengthName).allSatisfy { $0 | 0x20 == $1 | 0x20 }
      guard isName else { continue }
      if candidate.count <= Self.lengthName.count || candidate.last == ASCII.colon {
        buffer.drop(offset)
        return candidate.last == ASCII.colon
      }
    }
    buffer.drop(buffer.count)
    return false
  }
}

/// The headers of one message, line by line.
struct HeaderBlock {
  private(set) var contentLength: Int?

  /// A longer message length only occurs in broken headers; skipping that far would swallow the whole stream.
  private static let largestPlausibleLength = 1 << 40

  /// - Parameter line: not empty, without its line ending.
  /// - Returns: a sentence that describes the fault, or nil.
  mutating func add(_ line: ArraySlice<UInt8>) -> String? {
    guard let colon = line.firstIndex(of: ASCII.colon) else { return "A header line has no colon." }
    let name = String(decoding: Self.trimmed(line[..<colon]), as: UTF8.self).lowercased()
    let value = Self.trimmed(line[(colon + 1)...])
    switch name {
    case "content-length": return add(length: value)
    case "content-type": return check(contentType: String(decoding: value, as: UTF8.self).lowercased())
    default: return nil
    }
  }

  private mutating func add(length value: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: value.prefix(40), as: UTF8.self)
    guard !value.isEmpty, value.allSatisfy(ASCII.isDigit), let length = Int(text),
      length <= Self.largestPlausibleLength
    else { return "The Content-Length \(JSONValue.string(text).serializedText) is not a number of bytes." }
    if let contentLength, contentLength != length { return "A message has two different Content-Length headers." }
    contentLength = length
    return nil
  }

  private func check(contentType: String) -> String? {
    guard let range = contentType.firstRange(of: "charset=") else { return nil }
    let charset = contentType[range.upperBound...].prefix { $0 != ";" }.filter { $0 != "\"" && $0 != " " }
    // LSP 3.17 asks to accept "utf8" as well.
    return charset == "utf-8" || charset == "utf8"
      ? nil : "Messages must be UTF-8; the Content-Type names another charset."
  }

  static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes.drop(while: ASCII.isWhitespace)
    while let last = bytes.last, ASCII.isWhitespace(last) { bytes.removeLast() }
    return bytes
  }
}
