import CEmbedded
import JSON

/// A language in which sentences for people can be read.
public enum Language: String, Sendable, CaseIterable {
  case english = "en"
  /// As in Mexico.
  case spanish = "es-MX"
  case japanese = "ja"
  /// In simplified characters.
  case chinese = "zh-Hans"
  case hindi = "hi"
  case german = "de"

  /// The language that a reader understands best.
  ///
  /// Nil if none of these languages is among the tags, or the text is something else.
  /// - Parameter tags: the tag of a language (BCP 47), or several with weights as in the HTTP header `Accept-Language`:
  ///   `es-AR` is Spanish, `zh-TW` is not Chinese in simplified characters.
  public init?(preferred tags: String) {
    self.init(of: tags.split(separator: ",", maxSplits: Self.mostTags).prefix(Self.mostTags).compactMap(Preference.init))
  }

  /// The language of the messages of programs, by the variables of POSIX and of GNU gettext; nil if it is none of these.
  public init?(environment value: (String) -> String?) {
    var given: [String: String] = [:]
    for name in ["LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"] {
      if let text = value(name), !text.isEmpty { given[name] = text }
    }
    guard let locale = given["LC_ALL"] ?? given["LC_MESSAGES"] ?? given["LANG"] else { return nil }
    // Where no language is set, `LANGUAGE` does not count.
    let name = locale.prefix { $0 != "." && $0 != "@" }
    guard name != "C", name != "POSIX" else { return nil }
    let tags = (given["LANGUAGE"] ?? "").split(separator: ":") + [locale[...]]
    self.init(of: tags.prefix(Self.mostTags).compactMap(Preference.init))
  }

  private init?(of preferences: [Preference]) {
    // Browsers add `zh` to `zh-TW` by themselves: without a script it means the one that the reader names elsewhere.
    let foreign = Set(preferences.filter { $0.script == .another }.map(\.subtag))
    // Of equal weights, the first one counts: `max(by:)` would return the last.
    let best = preferences.reduce(nil as Preference?) { best, next in
      let isMeant = next.script == .translated || next.script == .unnamed && !foreign.contains(next.subtag)
      return isMeant && (best?.weight ?? 0) < next.weight ? next : best
    }
    guard let language = best?.language else { return nil }
    self = language
  }

  /// More than any reader lists.
  private static let mostTags = 50

  /// A language that the reader understands, and how well.
  private struct Preference {
    enum Script { case translated, another, unnamed }

    var language: Language
    var script: Script
    /// From 0, not at all, to 1.
    var weight = 1.0

    var subtag: Substring { language.subtag }

    init?(_ part: Substring) {
      let words = part.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() }
      guard let tag = words.first, let (language, script) = Self.read(tag) else { return nil }
      (self.language, self.script) = (language, script)
      guard let quality = words.dropFirst().first(where: { $0.hasPrefix("q=") }) else { return }
      guard let stated = Double(quality.dropFirst(2)), (0...1).contains(stated) else { return nil }
      weight = stated
    }

    /// - Parameter tag: in lower case: a tag of BCP 47, or a locale of POSIX, such as `zh_tw.utf-8` or `sr_rs@latin`.
    private static func read(_ tag: String) -> (Language, Script)? {
      let parts: [Substring] = tag.split(separator: "@", maxSplits: 1)
      guard let name: Substring = parts.first?.split(separator: ".").first else { return nil }
      let all: [Substring] = name.split { "-_".contains($0) }
      // What follows a subtag of one character says nothing of the language.
      let subtags = all.prefix { $0.count > 1 }
      guard let first = subtags.first else { return nil }
      // The language that is called `zh`, of which `zh-cmn` is the full name.
      let primary = first == "cmn" ? "zh" : first
      guard let language = Language.allCases.first(where: { $0.subtag == primary }) else { return nil }
      let letters = subtags.dropFirst().filter { $0.allSatisfy { ("a"..."z").contains($0) } }
      // `zh-yue` is another language.
      if let extended = letters.first, extended.count == 3, extended != "cmn" { return (language, .another) }
      let modifier = parts.dropFirst().first == "latin" ? "latn" : nil
      if let script = letters.first(where: { $0.count == 4 }).map({ String($0) }) ?? modifier {
        return (language, script == language.script ? .translated : .another)
      }
      guard let region = letters.first(where: { $0.count == 2 }) else { return (language, .unnamed) }
      return (language, language == .chinese && traditional.contains(region) ? .another : .translated)
    }

    /// The regions that write Chinese in traditional characters.
    private static let traditional: Set<Substring> = ["tw", "hk", "mo"]
  }

  /// The first part of its tag.
  private var subtag: Substring { rawValue.prefix { $0 != "-" } }

  /// The script of its translation, as in ISO 15924, in lower case.
  private var script: String {
    switch self {
    case .english, .spanish, .german: "latn"
    case .japanese: "jpan"
    case .chinese: "hans"
    case .hindi: "deva"
    }
  }
}

extension Language {
  /// The translation of a template; nil if there is none, and for English.
  func translation(of template: String) -> String? { translations[template] }

  /// Every translation, by its English template. Read at its first use.
  public var translations: [String: String] {
    switch self {
    case .english: [:]
    case .spanish: Translations.spanish
    case .japanese: Translations.japanese
    case .chinese: Translations.chinese
    case .hindi: Translations.hindi
    case .german: Translations.german
    }
  }
}

/// The embedded files of `CEmbedded/languages`, each read when its language is first asked for.
private enum Translations {
  static let spanish = read(embedded_language_es())
  static let japanese = read(embedded_language_ja())
  static let chinese = read(embedded_language_zh())
  static let hindi = read(embedded_language_hi())
  static let german = read(embedded_language_de())

  /// A file that cannot be read gives no translations; a test proves that all can.
  private static func read(_ file: embedded_file) -> [String: String] {
    // Read-only data of the executable: it lives as long as the process and never changes.
    let bytes = UnsafeBufferPointer(start: file.bytes, count: file.size)
    guard case .object(let members)? = try? JSONValue(parsing: bytes) else { return [:] }
    return Dictionary(members.lazy.compactMap { key, value in value.string.map { (key, $0) } }) { first, _ in first }
  }
}
