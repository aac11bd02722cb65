extension Schema {
  /// What waits for its provider, and whose queue is paused.
  static let queue = """
    -- From the moment it begins to wait until its end, also while it is tried.
    CREATE TABLE waiting_generation (
      generation_id TEXT NOT NULL PRIMARY KEY REFERENCES generation (id) ON DELETE CASCADE,
      account TEXT NOT NULL CHECK (account <> ''),
      provider TEXT NOT NULL CHECK (provider <> ''),
      deadline INTEGER NOT NULL,
      -- Tries that the provider has refused.
      attempts INTEGER NOT NULL CHECK (attempts >= 0)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX waiting_generation_by_deadline ON waiting_generation (deadline);

    -- The queue that all processes share: every generation that waits for its provider, and every durable one whose
    -- process is gone. A row is there exactly while any process may begin it, or its own may once its provider can be
    -- reached again.
    CREATE TABLE queued_generation (
      provider TEXT NOT NULL CHECK (provider <> ''),
      -- Of the generation: the earlier it was accepted, the lower.
      ordinal INTEGER NOT NULL,
      generation_id TEXT NOT NULL UNIQUE REFERENCES generation (id) ON DELETE CASCADE,
      account TEXT NOT NULL CHECK (account <> ''),
      -- Empty where the request leaves it to the provider.
      model TEXT NOT NULL,
      -- The process whose host waits for it, else '\(ProcessID.nobody.rawValue)'.
      process TEXT NOT NULL CHECK (process <> ''),
      -- When it is given up; null for one that waits for a slot only.
      deadline INTEGER,
      PRIMARY KEY (provider, ordinal, generation_id)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX queued_generation_by_deadline ON queued_generation (deadline) WHERE deadline IS NOT NULL;
    CREATE INDEX queued_generation_by_process ON queued_generation (provider, process, ordinal, generation_id);
    CREATE INDEX queued_generation_by_account ON queued_generation (account, provider);

    CREATE TABLE queue_pause (
      -- Whose; empty for everybody's.
      account TEXT NOT NULL PRIMARY KEY,
      since INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """

  /// Which providers cannot be reached, and which of their models must not be asked.
  static let providers = """
    CREATE TABLE provider_outage (
      provider TEXT NOT NULL PRIMARY KEY CHECK (provider <> ''),
      since INTEGER NOT NULL,
      -- Null while it lasts.
      ended INTEGER,
      -- Times in a row that it was not reached.
      failures INTEGER NOT NULL CHECK (failures > 0),
      next_probe INTEGER NOT NULL,
      -- When `next_probe` was set.
      probe_set INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE provider_cooldown (
      provider TEXT NOT NULL CHECK (provider <> ''),
      -- Empty for all of its models.
      model TEXT NOT NULL,
      until INTEGER NOT NULL,
      kind TEXT NOT NULL,
      message TEXT NOT NULL,
      details TEXT NOT NULL,
      set_at INTEGER NOT NULL,
      -- How often in a row, without a success. A row stays for some time after the pause, to count the next refusal.
      refusals INTEGER NOT NULL DEFAULT 1 CHECK (refusals > 0),
      -- The generation of the queue that tried the model last after a pause.
      trial TEXT,
      PRIMARY KEY (provider, model)
    ) STRICT, WITHOUT ROWID;
    """

  /// The time that is known to have been right: see ``ClockReading``.
  static let clocks = """
    CREATE TABLE clock (
      id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
      -- The latest time that is known to have been right.
      trusted INTEGER NOT NULL,
      -- From when until when the clock, by its own account, was seen too far ahead of that; null while it is not.
      doubted_from INTEGER,
      doubted_until INTEGER,
      CHECK ((doubted_from IS NULL) = (doubted_until IS NULL))
    ) STRICT;

    -- When the system's clock was found far behind the ledger's.
    CREATE TABLE clock_jump (
      seen INTEGER NOT NULL,
      system INTEGER NOT NULL,
      PRIMARY KEY (seen, system)
    ) STRICT, WITHOUT ROWID;
    """

  /// Lookups of places that other requests can use.
  static let locations = """
    -- Answers of the geocoder, by the digest of the question.
    CREATE TABLE location_answer (
      digest TEXT NOT NULL PRIMARY KEY,
      answer TEXT NOT NULL,
      created INTEGER NOT NULL,
      expires INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX location_answer_by_expiry ON location_answer (expires);

    -- When the geocoder may be asked next; all processes take turns.
    CREATE TABLE geocoder_reservation (
      id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
      next INTEGER NOT NULL
    ) STRICT;
    """
}
