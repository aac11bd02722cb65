import AtelierProtocol
import Support
import Testing

@testable import Store

@Suite("Searching a long history")
struct SearchTests {
  let fixture: StoreFixture
  let store: Store

  init() async throws {
    fixture = try StoreFixture()
    store = try await fixture.open()
  }

  /// Writes generations that have ended, some with what is rare: as many `together` in one millisecond, then none for ten.
  private func fill(_ count: Int, account: String = "anna", from start: Int64 = 1_000, together: Int = 1) async throws {
    // PostgreSQL keeps each version of the sums until the transaction ends, and looks through them.
    for first in stride(from: 0, to: count, by: 1_000) {
      try await fill(first..<min(first + 1_000, count), account: account, from: start, together: together)
    }
  }

  private func fill(_ numbers: Range<Int>, account: String, from start: Int64, together: Int) async throws {
    try await store.change(
      """
      WITH RECURSIVE number (n) AS (SELECT ?5 + 0 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < ?1)
      INSERT INTO generation (
        id, account, process, recipe, state, phase, message, sequence, created, finished, request, prompt, text,
        metadata, params_hash, is_private, is_detached, is_requeueable)
      SELECT 'gen_' || CAST(?2 AS TEXT) || '_' || substr(CAST(1000000 + n AS TEXT), 2), CAST(?2 AS TEXT), 'filler',
        CASE n % 3 WHEN 0 THEN 'edit' ELSE 'create' END, 'failed', 'queued', '', 0,
        CAST(?3 AS BIGINT) + n / ?4 * 10, CAST(?3 AS BIGINT) + n / ?4 * 10, '{}',
        'A picture of ' || CAST(n % 1000 AS TEXT) || ' lighthouses'
          || CASE WHEN n % 2500 = 7 THEN ' Quetzal 灯台守' ELSE '' END,
        CASE WHEN n % 3000 = 8 THEN 'a POEM' END,
        CASE n % 2500
          WHEN 9 THEN '{"source":"Anna \\"2\\".jpg","target":5}' WHEN 10 THEN '{"target":"/me/anna.png"}' END,
        '\(String(repeating: "0b", count: 32))', 0, 0, 0
      FROM number
      """,
      [numbers.upperBound, account, start, together, numbers.lowerBound])
  }

  /// What is found page by page, and how many pages it took.
  private func search(_ filter: HistoryFilter, limit: Int = 50) async throws -> (ids: [String], pages: Int) {
    var (ids, pages): ([String], Int) = ([], 0)
    var cursor: HistoryCursor?
    repeat {
      let page = try await store.history(filter, limit: limit, cursor: cursor)
      ids += page.entries.map(\.id.rawValue)
      cursor = try page.nextCursor.map { try #require(HistoryCursor($0.text(of: "history"), of: "history")) }
      pages += 1
      try #require(pages < 10_000, "the pages do not end")
    } while cursor != nil
    return (ids, pages)
  }

  private func byReading(_ filter: HistoryFilter) async throws -> [String] {
    try await store.read { session in
      let condition = try filter.condition()
      return try session.values(
        "SELECT id FROM generation WHERE \(condition.sql) ORDER BY created DESC, id DESC", condition.arguments)
    }
  }

  private func index() async throws {
    for _ in 0..<100_000 where try await !store.indexForSearch() { return }
    Issue.record("there is always more to be put into the index")
  }

  private var spans: Int {
    get async throws { try await store.number("SELECT count(*) FROM search_span") }
  }

  private static let needles = [
    "quetzal", "灯台", "守", "poem", "12 light", "of 999 ", "A picture of 42 l", "nowhere", "q", "%", "Z 灯", "hous", "anna",
    "a \"2\".jp", "source", "/me/",
  ]

  @Test("a search finds what reading every row finds, with spans and without, in pages of any length", arguments: needles)
  func same(needle: String) async throws {
    try await fill(14_000)
    for isIndexed in [false, true] {
      if isIndexed { try await index() }
      for filter in [
        HistoryFilter(search: needle), HistoryFilter(account: "anna", recipe: .edit, search: needle),
        HistoryFilter(since: Timestamp(milliseconds: 30_005), until: Timestamp(milliseconds: 120_001), search: needle),
      ] {
        let expected = try await byReading(filter)
        #expect(try await search(filter, limit: expected.count > 500 ? 100 : 3).ids == expected, "\(filter)")
      }
    }
    #expect(try await spans > 1)
  }

  @Test("a search looks in the source and target of the metadata, not in what else is there", arguments: [true, false])
  func names(isIndexed: Bool) async throws {
    try await fill(10_000)
    if isIndexed { try await index() }
    let found = [("ANNA", 8), ("Anna \"2\".jpg", 4), ("/me/", 4), ("target", 0), ("5}", 0)]
    for (needle, count) in found {
      #expect(try await search(HistoryFilter(search: needle)).ids.count == count, "\(needle)")
    }
  }

  @Test("a search finds every generation of one millisecond, however many there are", arguments: [2, 700, 5_000])
  func oneMillisecond(together: Int) async throws {
    try await fill(5_000, together: together)
    for isIndexed in [false, true] {
      if isIndexed { try await index() }
      for needle in ["quetzal", "of 999 ", "of 42 light"] {
        let filter = HistoryFilter(search: needle)
        let expected = try await byReading(filter)
        #expect(!expected.isEmpty)
        for limit in [1, 4] { #expect(try await search(filter, limit: limit).ids == expected, "\(needle), \(limit)") }
      }
    }
  }

  @Test("a rare word takes one page with spans and is counted exactly; without them the search says where to go on")
  func rare() async throws {
    try await fill(20_000)
    let filter = HistoryFilter(search: "quetzal")
    let before = try await store.history(filter, limit: 100)
    #expect(before.totals.atLeast == true && before.nextCursor != nil && before.wantsIndex)
    try await index()
    let after = try await store.history(filter, limit: 100)
    #expect(after.totals == History.Totals(generations: 8) && after.nextCursor == nil && !after.wantsIndex)
    let frequent = try await store.history(HistoryFilter(search: "lighthouse"), limit: 20)
    #expect(frequent.entries.count == 20 && frequent.totals.atLeast == true)
    #expect((1_000..<20_000).contains(frequent.totals.generations))
  }

  @Test("a late change is found: a clock set back, a text at the end, an earlier time")
  func late() async throws {
    try await fill(10_000)
    let open = "gen_open"
    try await store.change(
      """
      INSERT INTO generation (id, account, process, recipe, state, phase, message, sequence, created, request, prompt,
        params_hash, is_private, is_detached, is_requeueable)
      VALUES (?, 'anna', 'filler', 'edit', 'running', 'queued', '', 0, 2000, '{}', 'x', ?, 0, 0, 0)
      """,
      [open, String(repeating: "0b", count: 32)])
    try await index()
    let whole = try await spans
    try await store.change(
      "UPDATE generation SET state = 'failed', finished = 9, text = 'unmistakable' WHERE id = ?", [open])
    #expect(try await spans == whole - 1)
    #expect(try await search(HistoryFilter(search: "unmistakable")).ids == [open])
    try await index()
    #expect(try await search(HistoryFilter(search: "unmistakable")).ids == [open])
    try await fill(1, account: "bert", from: 50_003)
    #expect(try await search(HistoryFilter(search: "0 lighthouses", parent: nil)).ids.contains("gen_bert_000000"))
    #expect(try await spans == whole - 1)
    try await index()
    #expect(try await spans == whole)
  }

  @Test("spans hold no word, and none of what was deleted: theirs are dropped and made anew")
  func forgets() async throws {
    try await fill(10_000)
    try await index()
    let whole = try await spans
    _ = try await store.delete(.one("gen_anna_000007", account: nil))
    #expect(try await spans == whole - 1)
    try await index()
    #expect(try await spans == whole)
    #expect(try await search(HistoryFilter(search: "quetzal")).ids.count == 3)
    _ = try await store.delete(.all(account: "anna"))
    #expect(
      try await store.number(
        "SELECT (SELECT count(*) FROM search_span) + (SELECT count(*) FROM search_bits)") == 0)
    for word in ["Quetzal", "quetzal", "lighthouse", "灯台", "POEM"] {
      #expect(try traces(of: Array(word.utf8), in: fixture).isEmpty, "\(word)")
    }
  }

  @Test("the runs of bytes are those of any text with the needle in it, whatever its ASCII case",
    arguments: 0..<20 as Range<UInt64>)
  func runs(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let letters = Array("aAbB zZ%_灯💇é\n\u{0}")
    func word(_ length: ClosedRange<Int>) -> String {
      String((0..<Int.random(in: length, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
    }
    for _ in 0..<200 {
      let needle = word(1...12)
      var present: Set<Int> = []
      SearchGram.forEach(in: word(0...20) + needle.uppercasedASCII + word(0...20)) { present.insert($0) }
      #expect(SearchGram.slots(of: needle).allSatisfy(present.contains), "seed \(seed): \(needle)")
      #expect(present.allSatisfy { (0..<SearchGram.slots).contains($0) })
    }
  }
}

extension String {
  fileprivate var uppercasedASCII: String {
    String(decoding: utf8.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }, as: UTF8.self)
  }
}
