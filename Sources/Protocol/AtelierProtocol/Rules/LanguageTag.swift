import JSON

/// The tag of a language (BCP 47), such as `es-MX`.
public enum LanguageTag: ValueRule {
  public typealias Value = String

  public static let expected = "the tag of a language, such as en or es-MX"
  public static let keywords: JSONObject = [
    "type": "string", "maxLength": 35, "pattern": "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$",
  ]

  public static func allows(_ value: String) -> Bool {
    let parts = value.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }
    guard value.utf8.count <= 35, let first = parts.first, (2...8).contains(first.count), first.allSatisfy(isLetter)
    else { return false }
    return parts.dropFirst().allSatisfy { part in
      (1...8).contains(part.count) && part.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
    }
  }
}
