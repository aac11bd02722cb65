import Encodings
import JSON

/// Looks for the envelope of a message that is too large or too deep to parse, while its bytes pass by, in bounded
/// memory: the id, so that the answer reaches the right caller, and whether it is a response.
struct EnvelopeSkimmer: Equatable {
  struct Envelope: Equatable {
    var id: RequestID?
    /// True when the message answers a request of ours rather than asking for something.
    var isResponse = false
  }

  private(set) var envelope = Envelope()

  private var depth = 0
  private var isObject = false
  private var isInString = false
  private var isEscaped = false
  private var isExpectingName = true
  private var name: String?
  /// The string or number at the top level that is being read; nil once it has grown too long to matter.
  private var token: [UInt8]? = []

  /// No id is longer, even if all of it is written as escape sequences.
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
