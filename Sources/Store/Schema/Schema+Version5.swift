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

extension Schema {
  /// Pauses belong to a provider and a model; what stood before holds for all models of the provider.
  static let version5Cooldowns = """
    CREATE TABLE model_cooldown (
      provider TEXT NOT NULL CHECK (provider <> ''),
      model TEXT NOT NULL DEFAULT '',
      until INTEGER NOT NULL,
      kind TEXT NOT NULL,
      message TEXT NOT NULL,
      details TEXT NOT NULL,
      set_at INTEGER NOT NULL,
      PRIMARY KEY (provider, model)
    ) STRICT, WITHOUT ROWID;

    INSERT INTO model_cooldown SELECT provider, '', until, kind, message, details, set_at FROM provider_cooldown;

    DROP TABLE provider_cooldown;

    ALTER TABLE model_cooldown RENAME TO provider_cooldown;
    """
}

extension Schema {
  /// The queue that all processes share: every generation that waits for its provider, and every durable one whose
  /// process is gone, in the order in which they were accepted. A row is there exactly while any process may begin it,
  /// or its own may once its provider can be reached again.
  static let version5Queue = """
    CREATE TABLE queued_generation (
      provider TEXT NOT NULL CHECK (provider <> ''),
      -- The earlier it was accepted, the lower.
      turn INTEGER NOT NULL,
      generation_id TEXT NOT NULL UNIQUE REFERENCES generation (id) ON DELETE CASCADE,
      account TEXT NOT NULL CHECK (account <> ''),
      -- Empty where the request leaves it to the provider.
      model TEXT NOT NULL,
      -- The process whose host waits for it, else '\(OwnerID.nobody.rawValue)'.
      owner TEXT NOT NULL CHECK (owner <> ''),
      -- When it is given up; null for one that waits for a slot only.
      deadline INTEGER,
      PRIMARY KEY (provider, turn, generation_id)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX queued_generation_by_deadline ON queued_generation (deadline) WHERE deadline IS NOT NULL;
    CREATE INDEX queued_generation_by_account ON queued_generation (account, provider);

    INSERT INTO queued_generation (provider, turn, generation_id, account, model, owner, deadline)
    SELECT waiting.provider, generation.rowid, id, generation.account, COALESCE(model, ''), owner, deadline
    FROM waiting_generation AS waiting CROSS JOIN generation ON id = waiting.generation_id
    WHERE state = 'queued';

    -- What a process that died did not bring to its end: it may have left files elsewhere.
    CREATE INDEX generation_interrupted ON generation (owner) WHERE state = 'interrupted';

    -- Whoever begins or ends it.
    CREATE TRIGGER generation_leaves_queue AFTER UPDATE OF state ON generation
    WHEN NEW.state <> 'queued'
    BEGIN DELETE FROM queued_generation WHERE generation_id = NEW.id; END;

    -- What was begun may be begun again where the store holds all that it needs.
    DROP TRIGGER generation_never_goes_back;
    CREATE TRIGGER generation_never_goes_back BEFORE UPDATE OF state ON generation
    WHEN OLD.state = 'running' AND NEW.state = 'queued' AND NEW.is_requeueable = 0
    BEGIN SELECT RAISE(ABORT, 'a generation that has begun is not queued again'); END;

    -- Pictures that came within a request, kept until its end so that it can be done later or by another process.
    CREATE TABLE generation_input (
      prepared_id TEXT NOT NULL PRIMARY KEY REFERENCES prepared (id) ON DELETE CASCADE,
      generation_id TEXT NOT NULL REFERENCES generation (id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX generation_input_by_generation ON generation_input (generation_id);

    CREATE TRIGGER generation_input_ends AFTER UPDATE OF state ON generation
    WHEN NEW.state NOT IN ('queued', 'running')
      AND EXISTS (SELECT 1 FROM generation_input WHERE generation_id = NEW.id)
    BEGIN
      UPDATE prepared SET expires = NEW.finished
      WHERE expires > NEW.finished
        AND id IN (SELECT prepared_id FROM generation_input WHERE generation_id = NEW.id);
      DELETE FROM generation_input WHERE generation_id = NEW.id;
    END;

    -- A key whose generation ended without a picture and without a charge may stand for another try.
    DROP TRIGGER idempotency_stays;
    CREATE TRIGGER idempotency_stays BEFORE UPDATE ON idempotency
    WHEN NEW.account IS NOT OLD.account OR NEW.key IS NOT OLD.key OR NEW.params_hash IS NOT OLD.params_hash
      OR NOT EXISTS (
        SELECT 1 FROM generation
        WHERE id = OLD.generation_id AND state IN ('failed', 'interrupted', 'expired') AND credits_charged = 0)
    BEGIN SELECT RAISE(ABORT, 'what an idempotency key stands for never changes'); END;
    """
}
