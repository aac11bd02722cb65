extension Schema {
  /// What answers an identical request, and what of the input belongs where when it is made again.
  ///
  /// Tables of their own: a process of an earlier version that has the database open goes on reading the others as it
  /// knows them, and what it deletes takes these rows along.
  static let version4Cache = """
    -- Only of generations that succeeded. Several may have the same key: the newest answers.
    CREATE TABLE generation_cache_key (
      generation_id TEXT NOT NULL PRIMARY KEY REFERENCES generation (id) ON DELETE CASCADE,
      key TEXT NOT NULL CHECK (length(key) = 64)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX generation_cache_key_by_key ON generation_cache_key (key);

    CREATE TRIGGER generation_cache_key_before_end BEFORE INSERT ON generation_cache_key
    WHEN (SELECT state FROM generation WHERE id = NEW.generation_id) NOT IN ('queued', 'running')
    BEGIN SELECT RAISE(ABORT, 'a generation that has ended gets no cache key'); END;

    CREATE TRIGGER generation_cache_key_not_private BEFORE INSERT ON generation_cache_key
    WHEN (SELECT is_private FROM generation WHERE id = NEW.generation_id)
    BEGIN SELECT RAISE(ABORT, 'a private generation answers nobody else'); END;

    CREATE TRIGGER generation_cache_key_stays BEFORE UPDATE ON generation_cache_key
    BEGIN SELECT RAISE(ABORT, 'the cache key of a generation never changes'); END;

    -- Prepared inputs that are not the photo but a picture to go by: which one, from 0.
    CREATE TABLE prepared_reference (
      prepared_id TEXT NOT NULL PRIMARY KEY REFERENCES prepared (id) ON DELETE CASCADE,
      position INTEGER NOT NULL CHECK (position >= 0)
    ) STRICT, WITHOUT ROWID;
    """
}
