import Localization
import Testing

@Suite("The language of the person")
struct LanguageTests {
  private static let table: [(tags: String, language: Language?)] = [
    ("en", .english), ("en-GB", .english), ("es-MX", .spanish), ("es", .spanish), ("es-419", .spanish), ("ja", .japanese),
    ("ja-JP", .japanese), ("zh-CN", .chinese), ("zh-Hans-CN", .chinese), ("zh_CN", .chinese), ("ZH", .chinese),
    ("hi-IN", .hindi), ("de", .german), ("de-AT", .german), ("  de  ", .german),
    ("fr, de;q=0.5, ja;q=0.7", .japanese), ("de, ja", .german), ("de;q=0.3,ja;q=0.3", .german),
    ("en;q=0.1, hi;q=1.0", .hindi), ("de;q=0, es;q=0.001", .spanish), ("de ; q=0.2 , es ; q=0.3", .spanish),
    ("de;level=1;q=0.2, es;q=0.3", .spanish), ("*, de;q=0.5", .german),
    ("", nil), ("fr", nil), ("*", nil), ("deutsch", nil), ("d", nil), ("de;q=0", nil), ("de;q=2", nil), ("de;q=x", nil),
    ("de;q=-1", nil), ("de;q=nan", nil), (",;,;=", nil), ("-de", .german), ("\u{0}", nil), ("日本語", nil),
  ]

  @Test("the language is the one with the greatest weight, and among equals the first", arguments: table)
  func preferred(row: (tags: String, language: Language?)) {
    #expect(Language(preferred: row.tags) == row.language)
  }

  @Test("only the beginning of an endless list is read")
  func endless() {
    #expect(Language(preferred: String(repeating: "fr,", count: 100_000) + "de") == nil)
  }

  @Test("each language is found by its own tag", arguments: Language.allCases)
  func ownTag(language: Language) {
    #expect(Language(preferred: language.rawValue) == language)
  }
}
