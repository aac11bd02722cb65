import Foundation
import JSON
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

  /// What readers ask for, in order, and what they get: the tests of the web host's pages read the same file.
  private static let cases: [JSONValue] = {
    let file = try? Data(contentsOf: URL(fileURLWithPath: "\(TranslatedSources.root)/Tests/Fixtures/languages.json"))
    return file.flatMap { try? JSONValue(parsing: [UInt8]($0)) }?.array ?? []
  }()

  @Test("the language is in the script that the reader reads, in a list in order and in one with weights")
  func scripts() throws {
    #expect(Self.cases.count > 50)
    for row in Self.cases {
      let tags = try #require(row["asked"]?.array).compactMap(\.string)
      let weighted = tags.enumerated().map { "\($1);q=\(1 - Double($0) / 10)" }
      let reversed = Array(weighted.reversed())
      for text in [tags.joined(separator: ", "), weighted.joined(separator: ","), reversed.joined(separator: ",")] {
        #expect(Language(preferred: text)?.rawValue == row["language"]?.string, "\(text)")
      }
    }
  }

  @Test("the language of the environment is that of messages, then the next one of LANGUAGE", arguments: [
    ([:], nil), (["LANG": "de_DE.UTF-8"], .german), (["LANG": "zh_TW.UTF-8"], nil), (["LANG": "zh_CN.GB18030"], .chinese),
    (["LANG": "zh_HK.UTF-8", "LANGUAGE": "zh_HK:zh:ja"], .japanese), (["LANG": "hi_IN@latin"], nil),
    (["LANG": "de_DE@euro"], .german), (["LANG": "de_DE", "LC_MESSAGES": "ja_JP.eucJP"], .japanese),
    (["LANG": "de_DE", "LC_ALL": ""], .german), (["LANG": "de_DE", "LC_ALL": "fr_FR.UTF-8"], nil),
    (["LANG": "de_DE", "LC_ALL": "C.UTF-8"], nil), (["LANGUAGE": "de", "LANG": "C.UTF-8"], nil),
    (["LANGUAGE": "de", "LANG": "POSIX"], nil), (["LANGUAGE": "de"], nil),
    (["LANGUAGE": "fr:es:de", "LANG": "en_US"], .spanish),
    (["LANGUAGE": "", "LANG": "en_US"], .english),
  ] as [([String: String], Language?)])
  func environment(variables: [String: String], language: Language?) {
    #expect(Language(environment: { variables[$0] }) == language)
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
