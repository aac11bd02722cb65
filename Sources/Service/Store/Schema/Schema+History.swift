/// What makes a long history quick to look through.
extension Schema {
  /// Totals and statistics are sums over these rows, a few a day, and not over the generations. Only what has ended is
  /// in them, so that they change once in the life of a generation and once at its deletion. Triggers keep them.
  static let totals = """
    CREATE TABLE generation_sum (
      -- Empty for everybody's together.
      account TEXT NOT NULL,
      -- Of acceptance, counted from 1970-01-01 in UTC.
      day INTEGER NOT NULL,
      recipe TEXT NOT NULL,
      state TEXT NOT NULL,
      provider TEXT NOT NULL,
      -- The kind of the error; empty where there is none.
      failure TEXT NOT NULL,
      generations INTEGER NOT NULL,
      credits INTEGER NOT NULL,
      -- Millionths of a US dollar: sums of fractions would not come back to nothing.
      cost INTEGER NOT NULL,
      PRIMARY KEY (account, day, recipe, state, provider, failure)
    ) STRICT, WITHOUT ROWID;

    -- How many have ended in each state: the sums have rows for each day, and `status` is asked for often.
    CREATE TABLE generation_count (
      state TEXT NOT NULL PRIMARY KEY,
      generations INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- Counts that only grow, also when history is deleted: a deletion must not look like a restart to those who plot them.
    CREATE TABLE generation_tally (
      recipe TEXT NOT NULL,
      -- Empty where none was chosen.
      provider TEXT NOT NULL,
      state TEXT NOT NULL,
      -- The upper bound of its duration in milliseconds; 0 for what is not timed.
      bucket INTEGER NOT NULL,
      generations INTEGER NOT NULL,
      milliseconds INTEGER NOT NULL,
      PRIMARY KEY (recipe, provider, state, bucket)
    ) STRICT, WITHOUT ROWID;
    """

  /// Where words cannot be, so that a search need not look there: see ``SearchSpan``. It holds no words, only bits of
  /// their hashes, and none of what was deleted: a stretch of which anything is deleted is dropped and made anew.
  ///
  /// It is made after the fact and may be missing: a stretch without it is read row by row. What comes late into a
  /// stretch, because a clock was set back or a text came at the end, drops it as well.
  static let search = """
    CREATE TABLE search_span (
      -- The generations accepted from this time…
      first INTEGER NOT NULL PRIMARY KEY,
      -- …until before this.
      past INTEGER NOT NULL CHECK (past > first),
      -- Where each of its groups begins, eight bytes a time.
      starts BLOB NOT NULL
    ) STRICT;

    CREATE TABLE search_bits (
      id INTEGER NOT NULL PRIMARY KEY,
      first INTEGER NOT NULL REFERENCES search_span (first) ON DELETE CASCADE,
      part INTEGER NOT NULL,
      bits BLOB NOT NULL
    ) STRICT;

    CREATE UNIQUE INDEX search_bits_by_part ON search_bits (first, part);
    """

  /// Chains of refinements. A session has the id of the generation it began with, and keeps it when that is deleted.
  /// A generation without a parent costs nothing here until it is refined.
  static let sessions = """
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
    """
}
