import AtelierProtocol
import Support
import Testing

@testable import Templates

@Suite("The library of templates")
struct TemplateLibraryTests {
  private static func definition(
    _ id: String, _ name: String? = nil, category: TemplateCategory = .short, prompt: String = "A cut.",
    tags: [String] = [], popularity: Int = 0, isRetired: Bool = false
  ) -> TemplateDefinition {
    TemplateDefinition(
      Template(id: id, name: name ?? id, category: category, prompt: prompt, tags: tags, popularity: popularity),
      isRetired: isRetired)
  }

  private func ids(
    _ library: TemplateLibrary, _ query: TemplateQuery = TemplateQuery(), uses: [String: Int] = [:]
  ) -> [String] {
    library.page(query, usage: TemplateUsage(counts: uses), limit: 100).templates.map(\.id)
  }

  @Test("the library of templates is ours, with what the operator adds, replaces and retires, the last word counting")
  func merged() {
    let ours = [Self.definition("a", "Ours"), Self.definition("b"), Self.definition("c")]
    let theirs = [
      Self.definition("a", "Theirs"), Self.definition("b", isRetired: true), Self.definition("d"),
      Self.definition("e"), Self.definition("e", isRetired: true), Self.definition("unknown", isRetired: true),
    ]
    let library = TemplateLibrary(ours + theirs)
    #expect(library.count == 3)
    #expect(library["a"]?.name == "Theirs")
    #expect(library["b"] == nil && library["e"] == nil && library["unknown"] == nil)
    #expect(TemplateLibrary(ours + theirs + [Self.definition("b", "Back")])["b"]?.name == "Back")
  }

  @Test(
    "the library of templates is searched over name, tags and prompt, whatever the case and the accents",
    arguments: [
      ("EBENE", ["ebene"]), ("ébène", ["ebene"]), ("e\u{301}be\u{300}ne", ["ebene"]), ("coupe nuit", ["ebene"]),
      ("nuit  Coupe\n", ["ebene"]), ("nandu", ["nandu"]), ("ÑANDÚ", ["nandu"]), ("STRASSE", []), ("straße", ["strasse"]),
      ("おかっぱ", ["okappa"]), ("がっ", []), ("चोटी", ["choti"]), ("चोट", ["choti"]), ("短发", ["duanfa"]),
      ("", ["ebene", "nandu", "strasse", "okappa", "choti", "duanfa"]),
      ("💇🏽", ["duanfa"]), ("coupe jour", []), ("%", []), ("_", []),
    ] as [(String, [String])])
  func searched(text: String, found: [String]) {
    let library = TemplateLibrary([
      Self.definition("ebene", "Ébène", prompt: "La coupe de NUIT."), Self.definition("nandu", tags: ["Ñandú"]),
      Self.definition("strasse", "Straße"), Self.definition("okappa", "おかっぱ"), Self.definition("choti", "चोटी"),
      Self.definition("duanfa", "短发", prompt: "A cut. 💇🏽"),
    ])
    #expect(Set(ids(library, TemplateQuery(search: text))) == Set(found))
  }

  @Test("the library of templates is narrowed by category, tag and search together")
  func narrowed() {
    let library = TemplateLibrary([
      Self.definition("a", category: .short, prompt: "red", tags: ["Wavy"]),
      Self.definition("b", category: .short, prompt: "blue", tags: ["wavy"]),
      Self.definition("c", category: .long, prompt: "red", tags: ["wavy"]),
      Self.definition("d", category: .short, prompt: "red", tags: ["wavy hair"]),
    ])
    #expect(ids(library, TemplateQuery(category: .short)) == ["a", "b", "d"])
    #expect(ids(library, TemplateQuery(tag: "WÁVY")) == ["a", "b", "c"])
    #expect(ids(library, TemplateQuery(category: .short, tag: "wavy", search: "red")) == ["a"])
  }

  @Test("the library of templates is ordered by use over what it began with, then by name, then by id")
  func ordered() {
    let library = TemplateLibrary([
      Self.definition("z", "Éclair"), Self.definition("y", "eclair"), Self.definition("x", "Fade"),
      Self.definition("w", "Bob", popularity: 3), Self.definition("v", "Zopf"),
    ])
    #expect(ids(library) == ["w", "y", "z", "x", "v"])
    #expect(ids(library, uses: ["v": 4, "x": 3]) == ["v", "w", "x", "y", "z"])
  }

  @Test(
    "the library of templates is paged so that each is told once, whatever is used or retired meanwhile",
    arguments: 0..<200 as Range<UInt64>)
  func paged(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    var definitions = (0..<30).map { Self.definition("t\($0)", "Name \(below(5))", popularity: below(3)) }
    // Every use has a number; a walk counts those up to the last one that its first page saw.
    var uses = (0..<below(40)).map { _ in "t\(below(30))" }
    var seen: [String] = []
    var cursor: TemplateCursor?
    var retired: Set<String> = []
    var pages = 0
    repeat {
      pages += 1
      try #require(pages < 1_000, "seed \(seed): the pages do not end")
      let last = cursor?.seen ?? Int64(uses.count)
      let counts = Dictionary(grouping: uses.prefix(Int(last)), by: \.self).mapValues(\.count)
      let (page, next) = TemplateLibrary(definitions).page(
        TemplateQuery(), usage: TemplateUsage(counts: counts, seen: last), after: cursor, limit: 1 + below(6),
        byteBudget: 200, size: { _ in 60 })
      #expect(!page.isEmpty && page.count <= 3, "seed \(seed)")
      seen += page.map(\.id)
      for _ in 0..<below(20) { uses.append("t\(below(30))") }
      // Also the one the cursor stands on.
      let gone = below(2) == 0 ? page.last?.id ?? "" : "t\(below(30))"
      if below(3) == 0, retired.insert(gone).inserted { definitions.append(Self.definition(gone, isRetired: true)) }
      cursor = try next.map { try #require(TemplateCursor($0.text), "seed \(seed)") }
      #expect(cursor == next, "seed \(seed)")
    } while cursor != nil
    #expect(Set(seen).count == seen.count, "seed \(seed): one was told twice")
    #expect(Set((0..<30).map { "t\($0)" }).subtracting(seen).isSubset(of: retired), "seed \(seed): one was left out")
  }

  @Test(
    "the library of templates has pages of as many bytes as are allowed, but of one hairstyle in any case",
    arguments: [(180, 3), (179, 2), (120, 2), (119, 1), (60, 1), (59, 1), (0, 1)])
  func budget(bytes: Int, count: Int) {
    let library = TemplateLibrary((0..<5).map { Self.definition("t\($0)") })
    let (page, next) = library.page(
      TemplateQuery(), usage: TemplateUsage(), limit: 100, byteBudget: bytes, size: { _ in 60 })
    #expect(page.count == count && next != nil)
  }

  @Test(
    "the library of templates takes no cursor but its own",
    arguments: ["", "x", "AAAA", "MTox", "LTE6MDphOmE=", "MTowOmE=", "OTk5OTk5OTk5OTk5OTk5OTk5OTk6MDphOmE="])
  func foreign(text: String) {
    #expect(TemplateCursor(text) == nil)
  }

  @Test("the library of templates has cursors that are short enough to be sent back, however long the names are")
  func longest() {
    let template = Template(
      id: String(repeating: "a", count: 64), name: String(repeating: "💇", count: 80), category: .short, prompt: "")
    #expect(CursorLength.allows(TemplateCursor(template, seen: .max).text))
  }
}
