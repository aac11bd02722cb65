extension Schema {
  /// Totals and statistics are sums over these rows, a few a day, and not over the generations. Only what has ended is
  /// in them, so that they change once in the life of a generation and once at its deletion.
  ///
  /// Triggers keep them, for processes of earlier versions as well.
  static let version4HistorySums = """
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

    INSERT INTO generation_sum (account, day, recipe, state, provider, failure, generations, credits, cost)
    SELECT account, \(sumDay("generation")), recipe, state, \(sumProvider("generation")), \(sumFailure("generation")),
      count(*), sum(credits_charged), sum(\(sumCost("generation")))
    FROM generation WHERE state NOT IN ('queued', 'running') GROUP BY 1, 2, 3, 4, 5, 6;

    INSERT INTO generation_sum (account, day, recipe, state, provider, failure, generations, credits, cost)
    SELECT '', day, recipe, state, provider, failure, sum(generations), sum(credits), sum(cost)
    FROM generation_sum GROUP BY 2, 3, 4, 5, 6;

    CREATE TRIGGER generation_is_summed AFTER UPDATE OF state ON generation
    WHEN OLD.state IN ('queued', 'running') AND NEW.state NOT IN ('queued', 'running')
    BEGIN \(sumUp) END;

    CREATE TRIGGER generation_ended_is_summed AFTER INSERT ON generation
    WHEN NEW.state NOT IN ('queued', 'running')
    BEGIN \(sumUp) END;

    CREATE TRIGGER generation_leaves_sums AFTER DELETE ON generation
    BEGIN
      UPDATE generation_sum SET
        generations = generations - 1, credits = credits - OLD.credits_charged, cost = cost - \(sumCost("OLD"))
      WHERE \(sumOfOld);
      DELETE FROM generation_sum WHERE \(sumOfOld) AND generations = 0;
    END;

    CREATE TABLE artifact_sum (
      id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
      bytes INTEGER NOT NULL
    ) STRICT;

    INSERT INTO artifact_sum (id, bytes) SELECT 1, COALESCE(sum(bytes), 0) FROM artifact;

    CREATE TRIGGER artifact_is_summed AFTER INSERT ON artifact
    BEGIN UPDATE artifact_sum SET bytes = bytes + NEW.bytes; END;

    CREATE TRIGGER artifact_leaves_sum AFTER DELETE ON artifact
    BEGIN UPDATE artifact_sum SET bytes = bytes - OLD.bytes; END;
    """

  private static let sumUp = """
    INSERT INTO generation_sum (account, day, recipe, state, provider, failure, generations, credits, cost)
      VALUES (\(sumRow("NEW.account"))), (\(sumRow("''")))
      ON CONFLICT DO UPDATE SET
        generations = generations + 1, credits = credits + excluded.credits, cost = cost + excluded.cost;
    """

  private static func sumRow(_ account: String) -> String {
    """
    \(account), \(sumDay("NEW")), NEW.recipe, NEW.state, \(sumProvider("NEW")), \(sumFailure("NEW")), 1,
      NEW.credits_charged, \(sumCost("NEW"))
    """
  }

  private static let sumOfOld = """
    account IN (OLD.account, '') AND day = \(sumDay("OLD")) AND recipe = OLD.recipe AND state = OLD.state
      AND provider = \(sumProvider("OLD")) AND failure = \(sumFailure("OLD"))
    """

  /// Rounded down, before 1970 as well.
  private static func sumDay(_ row: String) -> String {
    "(\(row).created - (\(row).created % 86400000 + 86400000) % 86400000) / 86400000"
  }

  private static func sumProvider(_ row: String) -> String { "COALESCE(\(row).provider, '')" }

  /// As ``StoredError`` writes it, with the kind first: the functions for JSON are not to be had in a trigger.
  private static func sumFailure(_ row: String) -> String {
    """
    CASE WHEN substr(\(row).error, 1, 9) = '{"kind":"'
        THEN substr(\(row).error, 10, instr(substr(\(row).error, 10), '"') - 1) ELSE '' END
    """
  }

  private static func sumCost(_ row: String) -> String {
    "CAST(round(COALESCE(\(row).cost_usd, 0) * 1000000) AS INTEGER)"
  }
}
