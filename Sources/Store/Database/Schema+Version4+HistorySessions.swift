extension Schema {
  /// Chains of refinements. A session has the id of the generation it began with, and keeps it when that is deleted.
  /// A generation without a parent costs nothing here until it is refined.
  static let version4HistorySessions = """
    CREATE TABLE session (
      id TEXT NOT NULL PRIMARY KEY,
      account TEXT NOT NULL,
      steps INTEGER NOT NULL,
      -- When its newest step was accepted.
      latest INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX session_by_account ON session (account, latest DESC, id DESC);
    CREATE INDEX session_by_time ON session (latest DESC, id DESC);

    CREATE TABLE session_step (
      generation_id TEXT NOT NULL PRIMARY KEY REFERENCES generation (id) ON DELETE CASCADE,
      session TEXT NOT NULL,
      account TEXT NOT NULL,
      created INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX session_step_by_time ON session_step (session, created, generation_id);

    CREATE TRIGGER session_gains_step AFTER INSERT ON session_step
    BEGIN
      INSERT INTO session (id, account, steps, latest) VALUES (NEW.session, NEW.account, 1, NEW.created)
      ON CONFLICT DO UPDATE SET steps = steps + 1, latest = max(latest, excluded.latest);
    END;

    CREATE TRIGGER session_loses_step AFTER DELETE ON session_step
    BEGIN
      UPDATE session SET
        steps = steps - 1,
        latest = COALESCE((SELECT max(created) FROM session_step WHERE session = OLD.session), latest)
      WHERE id = OLD.session;
      DELETE FROM session WHERE id = OLD.session AND steps = 0;
    END;

    -- The first steps, those whose parent was deleted, and what refines them.
    INSERT INTO session_step (generation_id, session, account, created)
    WITH RECURSIVE step (id, session) AS (
      SELECT id, id FROM generation
      WHERE parent IS NULL AND id IN (SELECT parent FROM generation WHERE parent IS NOT NULL)
      UNION ALL
      SELECT id, parent FROM generation
      WHERE parent IS NOT NULL AND NOT EXISTS (SELECT 1 FROM generation AS earlier WHERE earlier.id = generation.parent)
      UNION ALL
      SELECT generation.id, step.session FROM step JOIN generation ON generation.parent = step.id
    )
    SELECT id, session, account, created FROM step JOIN generation USING (id);

    CREATE TRIGGER generation_joins_session AFTER INSERT ON generation
    WHEN NEW.parent IS NOT NULL
    BEGIN
      INSERT INTO session_step (generation_id, session, account, created)
      SELECT id, id, account, created FROM generation
      WHERE id = NEW.parent AND id <> NEW.id
        AND NOT EXISTS (SELECT 1 FROM session_step WHERE generation_id = NEW.parent);
      INSERT INTO session_step (generation_id, session, account, created)
      VALUES (
        NEW.id, COALESCE((SELECT session FROM session_step WHERE generation_id = NEW.parent), NEW.parent), NEW.account,
        NEW.created);
    END;
    """
}
