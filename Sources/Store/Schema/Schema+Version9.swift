extension Schema {
  /// The mattes of pictures: files beside the pictures, which are no pictures themselves.
  static let version9 = """
    CREATE TABLE generation_matte (
      generation_id TEXT NOT NULL REFERENCES generation (id) ON DELETE CASCADE,
      -- That of the picture.
      position INTEGER NOT NULL CHECK (position >= 0),
      sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
      mime_type TEXT NOT NULL,
      bytes INTEGER NOT NULL CHECK (bytes >= 0),
      artifact TEXT REFERENCES artifact (name),
      output_path TEXT,
      PRIMARY KEY (generation_id, position)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX generation_matte_by_artifact ON generation_matte (artifact) WHERE artifact IS NOT NULL;

    CREATE TRIGGER generation_matte_before_end BEFORE INSERT ON generation_matte
    WHEN (SELECT state FROM generation WHERE id = NEW.generation_id) NOT IN ('queued', 'running')
    BEGIN SELECT RAISE(ABORT, 'a generation that has ended gets no more mattes'); END;

    CREATE TRIGGER generation_matte_not_private BEFORE INSERT ON generation_matte
    WHEN NEW.artifact IS NOT NULL AND (SELECT is_private FROM generation WHERE id = NEW.generation_id)
    BEGIN SELECT RAISE(ABORT, 'a private generation keeps no mattes'); END;

    CREATE TRIGGER generation_matte_stays BEFORE UPDATE ON generation_matte
    BEGIN SELECT RAISE(ABORT, 'the mattes of a generation never change'); END;
    """
}
