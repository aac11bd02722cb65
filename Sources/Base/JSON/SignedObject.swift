/// Objects that somebody signed, read more strictly than JSON requires.
extension JSONObject {
  /// Parses exactly one object in which no object has two members of the same name.
  ///
  /// Two readers can interpret an object with a repeated member name as two different objects, and whoever signed it meant
  /// only one of them.
  /// - Returns: nil for anything else, and for what is deeper or has more values than allowed.
  public init?(signed bytes: [UInt8], maximumDepth: Int = 16, maximumValues: Int = 1024) {
    let parsed = try? JSONValue(parsing: bytes.span, maximumDepth: maximumDepth, maximumValues: maximumValues)
    guard let parsed, let object = parsed.object, Self.memberCount(parsed) == Self.colonCount(bytes) else { return nil }
    self = object
  }

  /// The total number of members of all objects within `value`.
  private static func memberCount(_ value: JSONValue) -> Int {
    switch value {
    case .object(let object): object.reduce(object.count) { $0 + memberCount($1.value) }
    case .array(let array): array.reduce(0) { $0 + memberCount($1) }
    default: 0
    }
  }

  /// The number of members written in `bytes`, which must be valid JSON: one per colon outside a string.
  private static func colonCount(_ bytes: [UInt8]) -> Int {
    var count = 0
    var (isInString, isEscaped) = (false, false)
    for byte in bytes {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\"") {
        isInString.toggle()
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: ":"), !isInString {
        count += 1
      }
    }
    return count
  }
}
