extension Schema {
  /// What the recipe `places` needs: the names that were dropped, and lookups that other requests can use.
  static let version8 = """
    ALTER TABLE generation ADD COLUMN dropped TEXT;

    -- Answers of the geocoder, by the digest of the question.
    CREATE TABLE location_answer (
      digest TEXT NOT NULL PRIMARY KEY,
      answer TEXT NOT NULL,
      created INTEGER NOT NULL,
      expires INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX location_answer_by_expiry ON location_answer (expires);

    -- When the geocoder may be asked next; all processes take turns.
    CREATE TABLE geocoder_turn (
      id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
      next INTEGER NOT NULL
    ) STRICT;
    """
}
