extension Schema {
  /// What waits for its provider: beside each such generation what its row has no room for, which providers cannot be
  /// reached, and whose queue is paused.
  ///
  /// The row of a generation that waits is `queued` and may be taken over, its pictures are prepared inputs that its
  /// request names: a process of an earlier version that takes one over can do it, without knowing of these tables.
  static let version4Queue = """
    -- From the moment it begins to wait until its end, also while it is tried.
    CREATE TABLE waiting_generation (
      generation_id TEXT NOT NULL PRIMARY KEY REFERENCES generation (id) ON DELETE CASCADE,
      account TEXT NOT NULL CHECK (account <> ''),
      provider TEXT NOT NULL CHECK (provider <> ''),
      deadline INTEGER NOT NULL,
      -- Tries that the provider has refused.
      attempts INTEGER NOT NULL CHECK (attempts >= 0),
      -- The ids of the prepared inputs that are kept for it alone.
      inputs TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX waiting_generation_by_deadline ON waiting_generation (deadline);

    CREATE TRIGGER waiting_generation_not_private BEFORE INSERT ON waiting_generation
    WHEN (SELECT is_private FROM generation WHERE id = NEW.generation_id)
    BEGIN SELECT RAISE(ABORT, 'a private generation does not wait'); END;

    -- Whoever ends it and in whatever way: what was kept for it is kept no longer.
    CREATE TRIGGER generation_waits_no_more AFTER UPDATE OF state ON generation
    WHEN NEW.state NOT IN ('queued', 'running')
      AND EXISTS (SELECT 1 FROM waiting_generation WHERE generation_id = NEW.id)
    BEGIN
      UPDATE prepared SET expires = NEW.finished
      WHERE expires > NEW.finished AND id IN (
        SELECT value FROM json_each((SELECT inputs FROM waiting_generation WHERE generation_id = NEW.id)));
      DELETE FROM waiting_generation WHERE generation_id = NEW.id;
    END;

    -- What waits may have been tried: its provider was not reached, or refused it.
    DROP TRIGGER generation_never_goes_back;
    CREATE TRIGGER generation_never_goes_back BEFORE UPDATE OF state ON generation
    WHEN OLD.state = 'running' AND NEW.state = 'queued'
      AND NOT EXISTS (SELECT 1 FROM waiting_generation WHERE generation_id = OLD.id)
    BEGIN SELECT RAISE(ABORT, 'a generation that has begun is not queued again'); END;

    CREATE TABLE provider_outage (
      provider TEXT NOT NULL PRIMARY KEY CHECK (provider <> ''),
      since INTEGER NOT NULL,
      -- Null while it lasts.
      ended INTEGER,
      -- Times in a row that it was not reached.
      failures INTEGER NOT NULL CHECK (failures > 0),
      next_probe INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE queue_pause (
      -- Whose; empty for everybody's.
      account TEXT NOT NULL PRIMARY KEY,
      since INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
}
