import Testing

@testable import Store

@Suite("A statement in the words of PostgreSQL")
struct PostgreSQLTextTests {
  static let table: [(text: String, translation: String)] = [
    ("SELECT 1", "SELECT 1"),
    ("SELECT a FROM b WHERE c = ? AND d = ?", "SELECT a FROM b WHERE c = $1 AND d = $2"),
    ("SELECT ?2, ?1, ?2", "SELECT $2, $1, $2"),
    ("SELECT ?12, ?", "SELECT $12, $13"),
    ("SELECT ?, ?3, ?", "SELECT $1, $3, $4"),
    // A literal and a comment keep their marks; a comment may be the last.
    ("SELECT '?', ?", "SELECT '?', $1"),
    ("SELECT 'it''s ?', ?", "SELECT 'it''s ?', $1"),
    ("SELECT '', ?", "SELECT '', $1"),
    ("SELECT 'a CROSS JOIN b LIKE c -- d', ?", "SELECT 'a CROSS JOIN b LIKE c -- d', $1"),
    ("SELECT 1 -- why?\nFROM a WHERE b = ?", "SELECT 1 \nFROM a WHERE b = $1"),
    ("SELECT 1 -- it's", "SELECT 1 "),
    ("SELECT 5 - -?", "SELECT 5 - -$1"),
    // A hint is dropped, wherever it ends.
    ("SELECT a FROM b INDEXED BY c WHERE d = ?", "SELECT a FROM b WHERE d = $1"),
    ("SELECT a FROM b INDEXED BY c\nWHERE d = ?", "SELECT a FROM b\nWHERE d = $1"),
    ("SELECT a FROM b INDEXED BY c", "SELECT a FROM b"),
    ("SELECT a FROM b CROSS JOIN c ON d = e", "SELECT a FROM b JOIN c ON d = e"),
    ("SELECT a WHERE b LIKE ? ESCAPE '\\'", "SELECT a WHERE b ILIKE $1 ESCAPE '\\'"),
    (
      "SELECT a WHERE b IN (SELECT value FROM json_each(?)) AND c = ?",
      "SELECT a WHERE b = ANY (ARRAY(SELECT jsonb_array_elements_text($1::jsonb))) AND c = $2"
    ),
    ("SELECT json_extract(error, '$.kind')", "SELECT atelier_member(error, 'kind')"),
    ("SELECT '灯台 ?', ?", "SELECT '灯台 ?', $1"),
    ("GRANT SELECT ON a TO \"b ? LIKE ''c -- d\" -- e", "GRANT SELECT ON a TO \"b ? LIKE ''c -- d\" "),
    // What is cut off is left as it is, for the server to refuse.
    ("SELECT 'open ?", "SELECT 'open ?"), ("SELECT \"open ?", "SELECT \"open ?"),
    ("", ""),
  ]

  @Test("a statement is translated phrase by phrase, never inside of a literal", arguments: table)
  func translation(text: String, translation: String) {
    #expect(PostgreSQLText.statement(text) == translation)
  }

  @Test("a statement that was translated is translated to itself", arguments: table.map(\.translation))
  func again(text: String) {
    #expect(PostgreSQLText.statement(text) == text)
  }

  @Test("a rule of the schema keeps its question marks")
  func rules() {
    #expect(PostgreSQLText.statement("IF a ? b THEN", hasParameters: false) == "IF a ? b THEN")
  }
}
