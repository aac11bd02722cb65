/// Why some bytes are not a JSON value.
public struct JSONSyntaxError: Error, Sendable, Hashable {
  public enum Reason: Sendable, Hashable {
    case unexpectedEnd
    case unexpectedByte(UInt8, expected: String)
    case invalidNumber
    case invalidEscape
    case controlCharacter(UInt8)
    case invalidUTF8
    case trailingBytes
    /// The text may be well-formed, but is nested deeper than the reader allows.
    case tooDeep(maximum: Int)
    /// The text may be well-formed, but holds more values than the reader allows.
    case tooManyValues(maximum: Int)
    /// The text may be well-formed, but a string has a longer run of combining marks than the reader allows.
    case tooManyCombiningMarks(maximum: Int)
  }

  public var reason: Reason
  /// The position of the error, in bytes from the start of the text.
  public var offset: Int

  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// True when parsing ended because of a limit of the reader, not an error in the text.
  public var exceedsLimit: Bool {
    switch reason {
    case .tooDeep, .tooManyValues, .tooManyCombiningMarks: true
    default: false
    }
  }

  /// One sentence for the author of the text.
  public var message: String {
    switch reason {
    case .unexpectedEnd: "The JSON text ends too early, after \(offset) bytes."
    case .unexpectedByte(let byte, let expected):
      "The JSON text has \(Self.name(byte)) at byte \(offset), where \(expected) is expected."
    case .invalidNumber: "The JSON text has a malformed number at byte \(offset)."
    case .invalidEscape: "The JSON text has a malformed escape sequence at byte \(offset)."
    case .controlCharacter(let byte):
      "The JSON text has \(Self.name(byte)) unescaped inside a string, at byte \(offset)."
    case .invalidUTF8: "The JSON text is not valid UTF-8 in the string that starts at byte \(offset)."
    case .trailingBytes: "The JSON text goes on after its value, at byte \(offset)."
    case .tooDeep(let maximum): "The JSON text nests deeper than \(maximum) levels, at byte \(offset)."
    case .tooManyValues(let maximum): "The JSON text holds more than \(maximum) values."
    case .tooManyCombiningMarks(let maximum):
      "The JSON text has more than \(maximum) combining marks in a row in the string that starts at byte \(offset)."
    }
  }

  private static func name(_ byte: UInt8) -> String {
    (0x21...0x7E).contains(byte)
      ? "'\(Character(Unicode.Scalar(byte)))'" : "0x" + String(byte, radix: 16, uppercase: true)
  }
}
