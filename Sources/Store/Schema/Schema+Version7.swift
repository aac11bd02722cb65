extension Schema {
  /// What an operator took back, by its key, and counts for metrics.
  static let version7 = [version7Revocations, version7Tally].joined(separator: "\n")

  static let version7Revocations = """
    -- What an operator took back: each is one run of transfers, and its source makes it happen once.
    CREATE TABLE revocation (
      source TEXT NOT NULL PRIMARY KEY CHECK (source <> ''),
      account TEXT NOT NULL CHECK (account <> ''),
      amount INTEGER NOT NULL CHECK (amount > 0),
      first_transfer INTEGER NOT NULL,
      last_transfer INTEGER NOT NULL CHECK (last_transfer >= first_transfer),
      created INTEGER NOT NULL,
      hash TEXT NOT NULL CHECK (length(hash) = 64)
    ) STRICT, WITHOUT ROWID;

    CREATE UNIQUE INDEX revocation_by_transfer ON revocation (first_transfer, last_transfer);

    -- Earlier ones had no keys: each transfer counts as one.
    INSERT INTO revocation (source, account, amount, first_transfer, last_transfer, created, hash)
    SELECT source, account, amount, seq, seq, created, \(LedgerTable.function)(source, account, amount, seq, seq, created)
    FROM (
      SELECT 'transfer:' || seq AS source, account, amount, seq, created
      FROM transfer WHERE kind = 'revoke' AND reason IS NOT NULL);

    CREATE TRIGGER revocation_stays BEFORE UPDATE ON revocation
    BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;
    CREATE TRIGGER revocation_is_kept BEFORE DELETE ON revocation
    BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;
    """

  /// Counts that only grow, also when history is deleted: a deletion must not look like a restart to those who plot them.
  static let version7Tally = """
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

    INSERT INTO generation_tally (recipe, provider, state, bucket, generations, milliseconds)
    SELECT recipe, COALESCE(provider, ''), state, \(tallyBucket("generation")), count(*), sum(\(tallyDuration("generation")))
    FROM generation WHERE state NOT IN ('queued', 'running') GROUP BY 1, 2, 3, 4;

    CREATE TRIGGER generation_is_tallied AFTER UPDATE OF state ON generation
    WHEN OLD.state IN ('queued', 'running') AND NEW.state NOT IN ('queued', 'running')
    BEGIN
      INSERT INTO generation_tally (recipe, provider, state, bucket, generations, milliseconds)
        VALUES (
          NEW.recipe, COALESCE(NEW.provider, ''), NEW.state, \(tallyBucket("NEW")), 1, \(tallyDuration("NEW")))
        ON CONFLICT DO UPDATE SET
          generations = generations + 1, milliseconds = milliseconds + excluded.milliseconds;
    END;
    """

  /// The upper bounds of the durations that are told apart, in milliseconds; the last stands for all longer ones.
  static let tallyBounds: [Int64] = [
    500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000, .max,
  ]

  private static func tallyDuration(_ row: String) -> String {
    "CASE WHEN \(isTimed(row)) THEN max(\(row).finished - \(row).created, 0) ELSE 0 END"
  }

  private static func tallyBucket(_ row: String) -> String {
    let bounds = tallyBounds.dropLast().map { "WHEN \(row).finished - \(row).created <= \($0) THEN \($0)" }
    return "CASE WHEN NOT (\(isTimed(row))) THEN 0 \(bounds.joined(separator: " ")) ELSE \(Int64.max) END"
  }

  /// What delivered, was not answered from the cache and knows its end.
  private static func isTimed(_ row: String) -> String {
    "\(row).state IN ('succeeded', 'partial') AND NOT \(row).is_cached AND \(row).finished IS NOT NULL"
  }
}
