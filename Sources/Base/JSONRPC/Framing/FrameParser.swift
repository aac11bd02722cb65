import Encodings
import Glibc

/// Splits a byte stream into frames, regardless of how the bytes are chunked. Pure: bytes in, frames out.
///
/// Holds at most one message of the allowed size; a longer message is skipped and only its envelope is read.
struct FrameParser {
  /// Nil until the first non-blank byte determines the framing.
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

  /// Adds received bytes; then call ``next()`` until it returns nil.
  mutating func append(_ bytes: ArraySlice<UInt8>) { buffer.append(bytes) }

  /// The number of bytes held for incomplete messages.
  var bytesHeld: Int { buffer.count }

  /// The next complete frame, or nil if more bytes are needed.
  mutating func next() -> Frame? {
    if isAtStart, !skipByteOrderMark() { return nil }
    switch recognised() {
    case .lines: return lines.next(&buffer)
    case .headers: return headers.next(&buffer)
    case nil: return nil
    }
  }

  /// The frame in the remaining bytes once the stream has ended.
  mutating func finish() -> Frame? {
    isAtStart = false
    switch recognised() {
    case .lines: return lines.finish(&buffer)
    case .headers: return headers.finish(&buffer)
    case nil: return nil
    }
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// - Returns: false while the bytes received so far may still become a byte order mark.
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

/// How messages are delimited on a byte stream.
public enum Framing: Sendable, Hashable {
  /// One message per line, ended by LF or CRLF (NDJSON).
  case lines
  /// A header block with `Content-Length`, an empty line, then the message (as in LSP 3.17).
  case headers
}

/// One piece of a byte stream.
enum Frame: Equatable {
  /// The bytes of one message, not yet parsed as JSON.
  case message(ArraySlice<UInt8>)

  /// A message of `bytes` bytes exceeded the limit and was skipped; the envelope holds what could be read of it.
  case oversized(EnvelopeSkimmer.Envelope, bytes: Int)

  /// The bytes between messages violate the framing; parsing resumed after them.
  case malformed(String)
}

/// Bytes that have been received but not consumed.
struct FrameBuffer {
  private var storage: [UInt8] = []
  private var start = 0

  /// Capacity above this is freed once the bytes are consumed, so that one large message does not stay in memory.
  private static let retainedCapacity = 1 << 18

  var bytes: ArraySlice<UInt8> { storage[start...] }
  var count: Int { storage.count - start }

  mutating func append(_ bytes: ArraySlice<UInt8>) {
    compact()
    storage.append(contentsOf: bytes)
  }

  /// Reserves space for a message of known length, to avoid repeated copies as it grows.
  mutating func reserve(_ count: Int) {
    compact()
    storage.reserveCapacity(count)
  }

  /// Consumes `count` bytes from the front.
  mutating func drop(_ count: Int) {
    start += min(count, self.count)
    // Freed now rather than when the next bytes arrive, which may take long.
    if start == storage.count, storage.capacity > Self.retainedCapacity {
      storage = []
      start = 0
    }
  }

  /// Consumes and returns `count` bytes from the front.
  mutating func take(_ count: Int) -> ArraySlice<UInt8> {
    let taken = bytes.prefix(count)
    drop(count)
    return taken
  }

  /// The offset of the first `byte` at or after `offset`.
  func firstOffset(of byte: UInt8, from offset: Int = 0) -> Int? {
    let bytes = bytes.dropFirst(offset)
    return bytes.withUnsafeBytes { region in
      // memchr gets the region with its exact length, and only while the region is alive; it is many times
      // faster than a loop, and every byte of every line is searched here.
      guard let base = region.baseAddress, let found = memchr(base, CInt(byte), region.count) else { return nil }
      return offset + (UnsafeRawPointer(found) - base)
    }
  }

  private mutating func compact() {
    guard start > 0 else { return }
    if start == storage.count {
      storage.removeAll(keepingCapacity: true)
    } else {
      storage.removeSubrange(..<start)
    }
    start = 0
  }
}
