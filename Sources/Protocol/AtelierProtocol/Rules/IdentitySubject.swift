import JSON

/// The id that an identity provider gives to a person: opaque, but without control characters, which could forge log
/// lines.
public enum IdentitySubject: ValueRule {
  public typealias Value = String

  public static let maximum = 255

  public static let expected = "a string of 1 to \(maximum) characters without control characters"

  public static let keywords: JSONObject = [
    "type": "string", "minLength": 1, "maxLength": .number(JSONNumber(maximum)),
    "pattern": #"^[^\u0000-\u001f\u007f-\u009f]+$"#,
  ]

  public static func allows(_ value: String) -> Bool {
    (1...maximum).contains(value.unicodeScalars.count)
      && !value.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}
