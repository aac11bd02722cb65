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
