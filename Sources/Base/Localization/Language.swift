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
  /// - Parameter tags: the tag of a language (BCP 47), or several with weights as in the HTTP header `Accept-Language`. The
  ///   first subtag decides: `es-AR` is Spanish.
  public init?(preferred tags: String) {
    let preferences = tags.split(separator: ",", maxSplits: Self.mostTags).prefix(Self.mostTags).compactMap(Preference.init)
    // Of equal weights, the first one counts: `max(by:)` would return the last.
    guard let best = preferences.reduce(nil, { best, next in (best?.weight ?? 0) < next.weight ? next : best }) else {
      return nil
    }
    self = best.language
  }

  /// More than any reader lists.
  private static let mostTags = 50

  /// A language that the reader understands, and how well.
  private struct Preference {
    var language: Language
    /// From 0, not at all, to 1.
    var weight: Double

    init?(_ part: Substring) {
      let words = part.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() }
      guard let tag = words.first, let subtag = tag.split(whereSeparator: { "-_".contains($0) }).first,
        let language = Language.allCases.first(where: { $0.subtag == subtag })
      else { return nil }
      self.language = language
      weight = 1
      guard let quality = words.dropFirst().first(where: { $0.hasPrefix("q=") }) else { return }
      guard let stated = Double(quality.dropFirst(2)), (0...1).contains(stated) else { return nil }
      weight = stated
    }
  }

  /// The first part of its tag.
  private var subtag: Substring { rawValue.prefix { $0 != "-" } }
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
