extension Schema {
  static let generations = """
    CREATE TABLE generation (
      -- The order of acceptance.
      ordinal INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 128),
      account TEXT NOT NULL CHECK (account <> ''),
      process TEXT NOT NULL CHECK (process <> ''),
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
      -- How long its work may take once it has begun, in milliseconds, as was decided when it was accepted.
      time_limit INTEGER NOT NULL DEFAULT 60000 CHECK (time_limit >= 0),
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
      -- Whether anything may have been sent for it: noted before the first byte. Only for what another process could do.
      is_sent INTEGER NOT NULL DEFAULT 0 CHECK (is_sent IN (0, 1)),
      -- How many processes died while they worked on it.
      lost_processes INTEGER NOT NULL DEFAULT 0 CHECK (lost_processes >= 0),
      text TEXT,
      places TEXT,
      -- The names of places that were dropped.
      dropped TEXT,
      usage TEXT,
      timings TEXT,
      warnings TEXT NOT NULL DEFAULT '[]',
      failures TEXT NOT NULL DEFAULT '[]',
      error TEXT,
      cost_usd REAL,
      credits_charged INTEGER NOT NULL DEFAULT 0 CHECK (credits_charged >= 0),
      CHECK ((finished IS NULL) = (state IN ('queued', 'running'))),
      CHECK (is_private = 0 OR (prompt IS NULL AND is_requeueable = 0))
    ) STRICT;

    CREATE INDEX generation_by_time ON generation (created DESC, id DESC);
    CREATE INDEX generation_by_account ON generation (account, created DESC, id DESC);
    CREATE INDEX generation_by_parent ON generation (parent, created DESC, id DESC) WHERE parent IS NOT NULL;

    -- Pages of one recipe or state are read in order from one index, into which a generation comes when it ends: while
    -- it is open it would only move about in it. The sums at its end are for the parts of a day.
    CREATE INDEX generation_by_kind ON generation (recipe, state, created DESC, id DESC, credits_charged, cost_usd)
    WHERE state NOT IN ('queued', 'running');
    CREATE INDEX generation_by_account_kind
    ON generation (account, recipe, state, created DESC, id DESC, credits_charged, cost_usd)
    WHERE state NOT IN ('queued', 'running');

    CREATE INDEX generation_open ON generation (process) WHERE state IN ('queued', 'running');
    CREATE INDEX generation_open_by_account ON generation (account) WHERE state IN ('queued', 'running');

    -- What a process that died did not bring to its end: it may have left files elsewhere.
    CREATE INDEX generation_interrupted ON generation (process) WHERE state = 'interrupted';

    CREATE TABLE idempotency (
      account TEXT NOT NULL,
      key TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 128),
      params_hash TEXT NOT NULL CHECK (length(params_hash) = 64),
      generation_id TEXT NOT NULL,
      created INTEGER NOT NULL,
      PRIMARY KEY (account, key)
    ) STRICT, WITHOUT ROWID;
    """

  /// What a generation has beside its row and its files.
  static let generationDetails = """
    -- The model's answers that came with the images.
    CREATE TABLE generation_turn (
      generation_id TEXT NOT NULL REFERENCES generation (id) ON DELETE CASCADE,
      position INTEGER NOT NULL CHECK (position >= 0),
      json TEXT NOT NULL,
      PRIMARY KEY (generation_id, position)
    ) STRICT;

    -- What answers an identical request. Only of generations that succeeded. Several may have the same key: the newest
    -- answers.
    CREATE TABLE generation_cache_key (
      generation_id TEXT NOT NULL PRIMARY KEY REFERENCES generation (id) ON DELETE CASCADE,
      key TEXT NOT NULL CHECK (length(key) = 64)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX generation_cache_key_by_key ON generation_cache_key (key);

    -- What people say of a generation after its end, whose own row never changes.
    CREATE TABLE generation_feedback (
      generation_id TEXT NOT NULL PRIMARY KEY REFERENCES generation (id) ON DELETE CASCADE,
      rating INTEGER NOT NULL CHECK (rating BETWEEN 1 AND 5),
      text TEXT,
      created INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE generation_annotation (
      generation_id TEXT NOT NULL PRIMARY KEY REFERENCES generation (id) ON DELETE CASCADE,
      -- In place of what came with the request; null for that.
      metadata TEXT,
      is_favorite INTEGER NOT NULL CHECK (is_favorite IN (0, 1))
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX generation_annotation_favorite ON generation_annotation (generation_id) WHERE is_favorite = 1;

    -- Who watches the generations of other processes, and what those share for them.
    CREATE TABLE generation_watch (
      generation_id TEXT NOT NULL PRIMARY KEY REFERENCES generation (id) ON DELETE CASCADE,
      -- Until when somebody watches, unless they ask again: a watcher may die.
      until INTEGER NOT NULL,
      -- The latest progress that the process at work has shared; null before that.
      progress TEXT
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX generation_watch_by_end ON generation_watch (until);

    -- What a process no longer has, because another one has ended or taken it, or it has waited too long: until it has
    -- heard of that.
    CREATE TABLE generation_loss (
      process TEXT NOT NULL CHECK (process <> ''),
      -- A generation; it may be deleted before its process has heard.
      generation_id TEXT NOT NULL,
      noted INTEGER NOT NULL,
      PRIMARY KEY (process, generation_id)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX generation_loss_by_time ON generation_loss (noted);

    -- Which processes have clients that want a generation: a cancelled call ends it only when nobody else wants it.
    CREATE TABLE generation_interest (
      generation_id TEXT NOT NULL REFERENCES generation (id) ON DELETE CASCADE,
      -- The process; a dead one counts no more.
      process TEXT NOT NULL CHECK (process <> ''),
      PRIMARY KEY (generation_id, process)
    ) STRICT, WITHOUT ROWID;

    -- Every use of a template: pictures were delivered. A row a use, not a sum: what is listed in pages is ordered by the
    -- uses up to one row, whatever is used meanwhile.
    CREATE TABLE template_use (
      seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
      template TEXT NOT NULL CHECK (template <> '')
    ) STRICT;

    CREATE INDEX template_use_by_template ON template_use (template);
    """
}
