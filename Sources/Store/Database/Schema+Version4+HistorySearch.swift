extension Schema {
  /// Where words cannot be, so that a search need not look there: see ``SearchSpan``. It holds no words, only bits of
  /// their hashes, and none of what was deleted: a stretch of which anything is deleted is dropped and made anew.
  ///
  /// It is made after the fact and may be missing: a stretch without it is read row by row. What comes late into a
  /// stretch, because a clock was set back or a text came at the end, drops it as well.
  static let version4HistorySearch = """
    CREATE TABLE search_span (
      -- The generations accepted from this time…
      first INTEGER NOT NULL PRIMARY KEY,
      -- …until before this.
      past INTEGER NOT NULL CHECK (past > first),
      -- Where each of its groups begins, eight bytes a time.
      starts BLOB NOT NULL
    ) STRICT;

    CREATE TABLE search_bits (
      id INTEGER NOT NULL PRIMARY KEY,
      first INTEGER NOT NULL REFERENCES search_span (first) ON DELETE CASCADE,
      part INTEGER NOT NULL,
      bits BLOB NOT NULL
    ) STRICT;

    CREATE UNIQUE INDEX search_bits_by_part ON search_bits (first, part);

    CREATE TRIGGER generation_comes_late AFTER INSERT ON generation
    WHEN NEW.created < \(end)
    BEGIN \(dropSpan("NEW")) END;

    CREATE TRIGGER generation_text_comes_late AFTER UPDATE OF prompt, text ON generation
    WHEN (NEW.text IS NOT OLD.text OR NEW.prompt IS NOT OLD.prompt)
      AND NEW.created < \(end)
    BEGIN \(dropSpan("NEW")) END;

    CREATE TRIGGER generation_leaves_search AFTER DELETE ON generation
    WHEN OLD.created < \(end)
    BEGIN \(dropSpan("OLD")) END;
    """

  /// Where the last span ends; they do not overlap.
  private static let end = "(SELECT past FROM search_span ORDER BY first DESC LIMIT 1)"

  /// By the last span that begins before: they do not overlap.
  private static func dropSpan(_ row: String) -> String {
    """
    DELETE FROM search_span WHERE past > \(row).created
      AND first = (SELECT max(first) FROM search_span WHERE first <= \(row).created);
    """
  }
}
