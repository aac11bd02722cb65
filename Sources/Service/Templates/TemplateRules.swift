import AtelierProtocol
import JSON

/// The id of a hairstyle: lowercase letters and digits, in words joined by hyphens.
enum TemplateIDRule: ValueRule {
  typealias Value = String
  static let maximum = 64
  static let expected =
    "an id such as jaw-length-bob: small letters and digits in words joined by hyphens, at most \(maximum) characters"
  static let keywords: JSONObject = [
    "type": "string", "maxLength": .number(JSONNumber(maximum)), "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$",
  ]

  static func allows(_ value: String) -> Bool {
    guard value.utf8.count <= maximum else { return false }
    return value.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).allSatisfy { word in
      !word.isEmpty
        && word.allSatisfy {
          (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        }
    }
  }
}

/// The label of a button.
enum TemplateNameLength: TextLength { static let maximum = 80 }

/// The prompt for a provider.
enum TemplatePromptLength: TextLength { static let maximum = 2_000 }

/// The initial use count of a hairstyle.
enum TemplatePopularity: IntegerRange { static let range = 0...1_000_000 }

enum TemplateTags: ValueRule {
  typealias Value = [String]
  static let maximum = 20
  static let maximumLength = 40
  static let expected = "at most \(maximum) texts, each of 1 to \(maximumLength) characters"
  static let keywords: JSONObject = ["maxItems": .number(JSONNumber(maximum))]

  static func allows(_ value: [String]) -> Bool {
    value.count <= maximum && value.allSatisfy { (1...maximumLength).contains($0.unicodeScalars.count) }
  }
}

/// A picture next to the file: a relative path that stays within the folder.
enum TemplatePictureRule: ValueRule {
  typealias Value = String
  static let maximum = 255
  static let expected = "the path of a picture inside the folder of the templates, such as pictures/bob.jpg"
  static let keywords: JSONObject = ["type": "string", "minLength": 1, "maxLength": .number(JSONNumber(maximum))]

  static func allows(_ value: String) -> Bool {
    guard (1...maximum).contains(value.utf8.count), !value.utf8.contains(0) else { return false }
    // An empty component would mean an absolute path, or a folder.
    return value.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty && $0 != "." && $0 != ".."
    }
  }
}

/// A hairstyle as defined in a file.
public struct TemplateDefinition: Sendable, Equatable {
  /// True for a definition that only removes the hairstyle with its id.
  public var isRetired: Bool
  /// The hairstyle; if it is retired, only its id counts. Its popularity is the initial one, and its pictures are
  /// paths that can be opened.
  public var template: Template

  public init(_ template: Template, isRetired: Bool = false) {
    self.isRetired = isRetired
    self.template = template
  }
}
