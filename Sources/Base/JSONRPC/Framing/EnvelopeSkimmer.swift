import Encodings
import JSON

/// Reads the envelope of a message that is too large or too deep to parse, while its bytes are skipped, in bounded
/// memory: the id, so that the error reaches the right caller, and whether the message is a response.
struct EnvelopeSkimmer: Equatable {
  struct Envelope: Equatable {
    var id: RequestID?
    /// True when the message is a response to one of our requests.
    var isResponse = false
  }

  private(set) var envelope = Envelope()

  private var depth = 0
  private var isObject = false
  private var isInString = false
  private var isEscaped = false
  private var isExpectingName = true
  private var name: String?
  /// The top-level string or number being read; nil once it has exceeded `maximumTokenBytes`.
  private var token: [UInt8]? = []

  /// No valid id is longer, even if written entirely as escape sequences.
  private static let maximumTokenBytes = 6 * RequestID.maximumBytes

  mutating func consume(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes { consume(byte) }
  }

  private mutating func consume(_ byte: UInt8) {
    if isInString { return consumeInString(byte) }
    switch byte {
    case ASCII.quote:
      isInString = true
      keep(byte)
    case ASCII.openBrace, ASCII.openBracket:
      if depth == 0 { isObject = byte == ASCII.openBrace }
      depth += 1
    case ASCII.closeBrace, ASCII.closeBracket:
      if depth == 1 { endValue() }
      depth -= 1
    case ASCII.colon where depth == 1: endName()
    case ASCII.comma where depth == 1: endValue()
    default:
      if !ASCII.isWhitespace(byte) { keep(byte) }
    }
  }

  private mutating func consumeInString(_ byte: UInt8) {
    keep(byte)
    if isEscaped {
      isEscaped = false
    } else if byte == ASCII.backslash {
      isEscaped = true
    } else if byte == ASCII.quote {
      isInString = false
    }
  }

  private mutating func keep(_ byte: UInt8) {
    guard depth == 1, isObject, let count = token?.count else { return }
    if count < Self.maximumTokenBytes { token?.append(byte) } else { token = nil }
  }

  private mutating func endName() {
    guard isExpectingName else { return }
    name = takeToken()?.string
    isExpectingName = false
    if name == "result" || name == "error" { envelope.isResponse = true }
    if name == "method" { envelope.isResponse = false }
  }

  private mutating func endValue() {
    let value = takeToken()
    if name == "id", let id = RequestID(value) { envelope.id = id }
    name = nil
    isExpectingName = true
  }

  private mutating func takeToken() -> JSONValue? {
    defer { token = [] }
    return token.flatMap { try? JSONValue(parsing: $0) }
  }
}
