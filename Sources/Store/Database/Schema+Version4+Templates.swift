extension Schema {
  static let version4Templates = """
    -- Every use of a template: pictures were delivered. A row a use, not a sum: what is listed in pages is ordered by the
    -- uses up to one row, whatever is used meanwhile.
    CREATE TABLE template_use (
      seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
      template TEXT NOT NULL CHECK (template <> '')
    ) STRICT;

    CREATE INDEX template_use_by_template ON template_use (template);
    """
}
