extension Schema {
  /// What keeps a wrong clock, and a long history, from doing harm.
  static let version5 = [version5Clock, version5Counts, version5Cooldowns, version5Queue].joined(separator: "\n")

  /// The time that is known to have been right: see ``ClockReading``.
  static let version5Clock = """
    CREATE TABLE clock (
      id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
      -- The latest time that is known to have been right.
      trusted INTEGER NOT NULL,
      -- From when until when the clock, by its own account, was seen too far ahead of that; null while it is not.
      doubted_from INTEGER,
      doubted_until INTEGER,
      CHECK ((doubted_from IS NULL) = (doubted_until IS NULL))
    ) STRICT;

    INSERT INTO clock (id, trusted)
    SELECT 1, latest FROM (
      SELECT max(
        COALESCE((SELECT max(created) FROM generation), (SELECT created FROM transfer ORDER BY seq DESC LIMIT 1)),
        COALESCE((SELECT created FROM transfer ORDER BY seq DESC LIMIT 1), (SELECT max(created) FROM generation))
      ) AS latest)
    WHERE latest IS NOT NULL;

    -- When `next_probe` was set; null where a process of an earlier version set it.
    ALTER TABLE provider_outage ADD COLUMN probe_set INTEGER;

    -- Those that a wrong clock let begin in the future are found by it.
    CREATE INDEX prepared_kept_by_creation ON prepared (created) WHERE artifact IS NOT NULL;
    """

  /// How many have ended in each state: the sums have rows for each day, and `status` is asked for often.
  static let version5Counts = """
    CREATE TABLE generation_count (
      state TEXT NOT NULL PRIMARY KEY,
      generations INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    INSERT INTO generation_count (state, generations)
    SELECT state, sum(generations) FROM generation_sum WHERE account = '' GROUP BY state;

    CREATE TRIGGER generation_is_counted AFTER UPDATE OF state ON generation
    WHEN OLD.state IN ('queued', 'running') AND NEW.state NOT IN ('queued', 'running')
    BEGIN \(countUp) END;

    CREATE TRIGGER generation_ended_is_counted AFTER INSERT ON generation
    WHEN NEW.state NOT IN ('queued', 'running')
    BEGIN \(countUp) END;

    CREATE TRIGGER generation_leaves_count AFTER DELETE ON generation
    BEGIN UPDATE generation_count SET generations = generations - 1 WHERE state = OLD.state; END;
    """

  private static let countUp = """
    INSERT INTO generation_count (state, generations) VALUES (NEW.state, 1)
      ON CONFLICT DO UPDATE SET generations = generations + 1;
    """
}
