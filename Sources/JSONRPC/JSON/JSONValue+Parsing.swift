extension JSONValue {
  /// How deep arrays and objects may nest unless the caller says otherwise (PROTOCOL 1).
  public static let defaultMaximumDepth = 128

  /// Parses one JSON text, strictly as RFC 8259 has it: UTF-8, no trailing commas or bytes, no leading zeros.
  ///
  /// A member named twice: the last one wins. A lone surrogate escape is read as U+FFFD.
  /// - Parameter maximumDepth: how many arrays and objects may be open at once.
  /// - Parameter maximumValues: how many values there may be in all, the root included.
  /// - Throws: ``JSONSyntaxError``; too much depth or too many values are told apart by its `exceedsLimit`.
  public init(
    parsing bytes: borrowing Span<UInt8>, maximumDepth: Int = defaultMaximumDepth, maximumValues: Int = .max
  ) throws(JSONSyntaxError) {
    self = try JSONParser.parse(bytes, maximumDepth: maximumDepth, maximumValues: maximumValues)
  }

  /// The same for an array of bytes.
  public init(parsing bytes: [UInt8], maximumDepth: Int = defaultMaximumDepth) throws(JSONSyntaxError) {
    self = try JSONParser.parse(bytes.span, maximumDepth: maximumDepth)
  }

  /// The same for any bytes, such as `text.utf8`.
  public init(
    parsing bytes: some Collection<UInt8>, maximumDepth: Int = defaultMaximumDepth
  ) throws(JSONSyntaxError) {
    self = try JSONParser.parse(Array(bytes).span, maximumDepth: maximumDepth)
  }
}
