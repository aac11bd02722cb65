extension Schema {
  /// The first tables.
  static let version1 = """
    CREATE TABLE artifact (
      name TEXT NOT NULL PRIMARY KEY CHECK (length(name) >= 66),
      mime_type TEXT NOT NULL,
      bytes INTEGER NOT NULL CHECK (bytes >= 0),
      created INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE generation (
      id TEXT NOT NULL PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 128),
      account TEXT NOT NULL CHECK (account <> ''),
      owner TEXT NOT NULL CHECK (owner <> ''),
      recipe TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN
        ('queued', 'running', 'succeeded', 'partial', 'failed', 'cancelled', 'interrupted', 'expired')),
      phase TEXT NOT NULL,
      message TEXT NOT NULL,
      fraction REAL CHECK (fraction BETWEEN 0 AND 1),
      sequence INTEGER NOT NULL CHECK (sequence >= 0),
      created INTEGER NOT NULL,
      started INTEGER,
      finished INTEGER,
      request TEXT NOT NULL,
      prompt TEXT,
      params_hash TEXT NOT NULL CHECK (length(params_hash) = 64),
      idempotency_key TEXT CHECK (length(idempotency_key) BETWEEN 1 AND 128),
      provider TEXT,
      model TEXT,
      prompt_version TEXT,
      metadata TEXT,
      parent TEXT,
      parent_index INTEGER CHECK (parent_index >= 0),
      is_private INTEGER NOT NULL CHECK (is_private IN (0, 1)),
      is_detached INTEGER NOT NULL CHECK (is_detached IN (0, 1)),
      is_requeueable INTEGER NOT NULL CHECK (is_requeueable IN (0, 1)),
      is_cached INTEGER NOT NULL DEFAULT 0 CHECK (is_cached IN (0, 1)),
      thumbnail TEXT REFERENCES artifact (name),
      text TEXT,
      places TEXT,
      usage TEXT,
      timings TEXT,
      warnings TEXT NOT NULL DEFAULT '[]',
      failures TEXT NOT NULL DEFAULT '[]',
      error TEXT,
      cost_usd REAL,
      credits_charged INTEGER NOT NULL DEFAULT 0 CHECK (credits_charged >= 0),
      CHECK ((finished IS NULL) = (state IN ('queued', 'running'))),
      CHECK (is_private = 0 OR (prompt IS NULL AND thumbnail IS NULL AND is_requeueable = 0))
    ) STRICT;

    -- The sums at the end let the totals of history be read from the index alone.
    CREATE INDEX generation_by_time ON generation (created DESC, id DESC, credits_charged, cost_usd);
    CREATE INDEX generation_by_account ON generation (account, created DESC, id DESC, credits_charged, cost_usd);
    CREATE INDEX generation_by_parent ON generation (parent) WHERE parent IS NOT NULL;
    CREATE INDEX generation_by_thumbnail ON generation (thumbnail) WHERE thumbnail IS NOT NULL;
    CREATE INDEX generation_open ON generation (owner) WHERE state IN ('queued', 'running');
    CREATE INDEX generation_by_state ON generation (state);

    CREATE TRIGGER generation_final_stays BEFORE UPDATE ON generation
    WHEN OLD.state NOT IN ('queued', 'running')
    BEGIN SELECT RAISE(ABORT, 'a generation that has ended never changes'); END;

    CREATE TRIGGER generation_open_stays BEFORE DELETE ON generation
    WHEN OLD.state IN ('queued', 'running')
    BEGIN SELECT RAISE(ABORT, 'a generation that has not ended is not deleted'); END;

    CREATE TRIGGER generation_identity_stays BEFORE UPDATE ON generation
    WHEN NEW.id IS NOT OLD.id OR NEW.account IS NOT OLD.account OR NEW.created IS NOT OLD.created
      OR NEW.params_hash IS NOT OLD.params_hash OR NEW.idempotency_key IS NOT OLD.idempotency_key
    BEGIN SELECT RAISE(ABORT, 'a generation keeps what identifies it'); END;

    CREATE TRIGGER generation_never_goes_back BEFORE UPDATE OF state ON generation
    WHEN OLD.state = 'running' AND NEW.state = 'queued'
    BEGIN SELECT RAISE(ABORT, 'a generation that has begun is not queued again'); END;

    CREATE TABLE generation_image (
      generation_id TEXT NOT NULL REFERENCES generation (id) ON DELETE CASCADE,
      position INTEGER NOT NULL CHECK (position >= 0),
      view TEXT,
      sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
      mime_type TEXT NOT NULL,
      bytes INTEGER NOT NULL CHECK (bytes >= 0),
      artifact TEXT REFERENCES artifact (name),
      width INTEGER NOT NULL CHECK (width > 0),
      height INTEGER NOT NULL CHECK (height > 0),
      output_path TEXT,
      PRIMARY KEY (generation_id, position)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX generation_image_by_artifact ON generation_image (artifact) WHERE artifact IS NOT NULL;

    CREATE TRIGGER generation_image_before_end BEFORE INSERT ON generation_image
    WHEN (SELECT state FROM generation WHERE id = NEW.generation_id) NOT IN ('queued', 'running')
    BEGIN SELECT RAISE(ABORT, 'a generation that has ended gets no more images'); END;

    CREATE TRIGGER generation_image_not_private BEFORE INSERT ON generation_image
    WHEN NEW.artifact IS NOT NULL AND (SELECT is_private FROM generation WHERE id = NEW.generation_id)
    BEGIN SELECT RAISE(ABORT, 'a private generation keeps no images'); END;

    CREATE TRIGGER generation_image_stays BEFORE UPDATE ON generation_image
    BEGIN SELECT RAISE(ABORT, 'the images of a generation never change'); END;

    CREATE TABLE idempotency (
      account TEXT NOT NULL,
      key TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 128),
      params_hash TEXT NOT NULL CHECK (length(params_hash) = 64),
      generation_id TEXT NOT NULL,
      created INTEGER NOT NULL,
      PRIMARY KEY (account, key)
    ) STRICT, WITHOUT ROWID;

    CREATE TRIGGER idempotency_stays BEFORE UPDATE ON idempotency
    BEGIN SELECT RAISE(ABORT, 'what an idempotency key stands for never changes'); END;

    CREATE TRIGGER idempotency_is_kept BEFORE DELETE ON idempotency
    BEGIN SELECT RAISE(ABORT, 'an idempotency key is never forgotten'); END;

    CREATE TABLE prepared (
      id TEXT NOT NULL PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 128),
      account TEXT NOT NULL CHECK (account <> ''),
      -- The generation it was made for, to be refined or made again; none for one a host prepared.
      generation_id TEXT REFERENCES generation (id) ON DELETE SET NULL,
      artifact TEXT REFERENCES artifact (name),
      width INTEGER NOT NULL CHECK (width > 0),
      height INTEGER NOT NULL CHECK (height > 0),
      created INTEGER NOT NULL,
      expires INTEGER NOT NULL
    ) STRICT;

    CREATE INDEX prepared_by_generation ON prepared (generation_id) WHERE generation_id IS NOT NULL;

    CREATE TRIGGER prepared_not_private BEFORE INSERT ON prepared
    WHEN (SELECT is_private FROM generation WHERE id = NEW.generation_id)
    BEGIN SELECT RAISE(ABORT, 'the input of a private generation is not kept'); END;

    CREATE INDEX prepared_by_expiry ON prepared (expires);
    CREATE INDEX prepared_by_artifact ON prepared (artifact) WHERE artifact IS NOT NULL;
    """
}
