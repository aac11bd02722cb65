extension Schema {
  /// What came with providers elsewhere: their pauses, what their models said, and thumbnails made after the end.
  ///
  /// A process of version 1 that has the database open goes on with it: what it writes as `generation.thumbnail`, which
  /// is not read any more, moves over by a trigger.
  static let version2 = """
    CREATE TABLE provider_cooldown (
      provider TEXT NOT NULL PRIMARY KEY CHECK (provider <> ''),
      until INTEGER NOT NULL,
      kind TEXT NOT NULL,
      message TEXT NOT NULL,
      details TEXT NOT NULL,
      set_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE generation_thumbnail (
      generation_id TEXT NOT NULL PRIMARY KEY REFERENCES generation (id) ON DELETE CASCADE,
      artifact TEXT NOT NULL REFERENCES artifact (name)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX generation_thumbnail_by_artifact ON generation_thumbnail (artifact);

    INSERT INTO generation_thumbnail (generation_id, artifact)
    SELECT id, thumbnail FROM generation WHERE thumbnail IS NOT NULL;

    CREATE TRIGGER generation_thumbnail_moves AFTER UPDATE OF thumbnail ON generation
    WHEN NEW.thumbnail IS NOT NULL
    BEGIN
      INSERT INTO generation_thumbnail (generation_id, artifact) VALUES (NEW.id, NEW.thumbnail)
      ON CONFLICT DO NOTHING;
    END;

    CREATE TRIGGER generation_thumbnail_not_private BEFORE INSERT ON generation_thumbnail
    WHEN (SELECT is_private FROM generation WHERE id = NEW.generation_id)
    BEGIN SELECT RAISE(ABORT, 'a private generation keeps no thumbnail'); END;

    CREATE TRIGGER generation_thumbnail_stays BEFORE UPDATE ON generation_thumbnail
    BEGIN SELECT RAISE(ABORT, 'the thumbnail of a generation never changes'); END;

    CREATE TABLE generation_turn (
      generation_id TEXT NOT NULL REFERENCES generation (id) ON DELETE CASCADE,
      position INTEGER NOT NULL CHECK (position >= 0),
      json TEXT NOT NULL,
      PRIMARY KEY (generation_id, position)
    ) STRICT;

    CREATE TRIGGER generation_turn_before_end BEFORE INSERT ON generation_turn
    WHEN (SELECT state FROM generation WHERE id = NEW.generation_id) NOT IN ('queued', 'running')
    BEGIN SELECT RAISE(ABORT, 'a generation that has ended gets no more turns'); END;

    CREATE TRIGGER generation_turn_not_private BEFORE INSERT ON generation_turn
    WHEN (SELECT is_private FROM generation WHERE id = NEW.generation_id)
    BEGIN SELECT RAISE(ABORT, 'a private generation keeps no turns'); END;

    CREATE TRIGGER generation_turn_stays BEFORE UPDATE ON generation_turn
    BEGIN SELECT RAISE(ABORT, 'the turns of a generation never change'); END;
    """
}
