extension Schema {
  /// Which processes have clients that want a generation: a cancelled call ends it only when nobody else wants it.
  static let version12 = """
    CREATE TABLE generation_interest (
      generation_id TEXT NOT NULL REFERENCES generation (id) ON DELETE CASCADE,
      -- The process; a dead one counts no more.
      owner TEXT NOT NULL CHECK (owner <> ''),
      PRIMARY KEY (generation_id, owner)
    ) STRICT, WITHOUT ROWID;

    CREATE TRIGGER generation_interest_ends AFTER UPDATE OF state ON generation
    WHEN NEW.state NOT IN ('queued', 'running')
    BEGIN DELETE FROM generation_interest WHERE generation_id = NEW.id; END;
    """
}
