extension Schema {
  /// Who watches the generations of other processes, and what those share for them.
  static let version6 = """
    CREATE TABLE generation_watch (
      generation_id TEXT NOT NULL PRIMARY KEY REFERENCES generation (id) ON DELETE CASCADE,
      -- Until when somebody watches, unless they ask again: a watcher may die.
      until INTEGER NOT NULL,
      -- The latest progress that the process at work has shared; null before that.
      progress TEXT
    ) STRICT, WITHOUT ROWID;

    CREATE TRIGGER generation_watch_ends AFTER UPDATE OF state ON generation
    WHEN NEW.state NOT IN ('queued', 'running')
    BEGIN DELETE FROM generation_watch WHERE generation_id = NEW.id; END;

    -- What the last process said is no longer so.
    CREATE TRIGGER generation_watch_starts_again AFTER UPDATE OF owner ON generation
    WHEN NEW.owner IS NOT OLD.owner
    BEGIN UPDATE generation_watch SET progress = NULL WHERE generation_id = NEW.id; END;
    """
}
