/// The sums, the search and the sessions follow the generations.
extension Schema {
  static let totalsFollow = """
    CREATE TRIGGER generation_is_summed AFTER UPDATE OF state ON generation
    WHEN OLD.state IN ('queued', 'running') AND NEW.state NOT IN ('queued', 'running')
    BEGIN
      \(sumUp)
      \(countUp)
      INSERT INTO generation_tally (recipe, provider, state, bucket, generations, milliseconds)
      VALUES (NEW.recipe, \(provider("NEW")), NEW.state, \(tallyBucket("NEW")), 1, \(tallyDuration("NEW")))
      ON CONFLICT (recipe, provider, state, bucket) DO UPDATE SET
        generations = generation_tally.generations + 1,
        milliseconds = generation_tally.milliseconds + excluded.milliseconds;
    END;

    CREATE TRIGGER generation_ended_is_summed AFTER INSERT ON generation
    WHEN NEW.state NOT IN ('queued', 'running')
    BEGIN
      \(sumUp)
      \(countUp)
    END;

    CREATE TRIGGER generation_leaves_sums AFTER DELETE ON generation
    BEGIN
      UPDATE generation_sum SET
        generations = generations - 1, credits = credits - OLD.credits_charged, cost = cost - \(cost("OLD"))
      WHERE \(sumsOfOld);
      DELETE FROM generation_sum WHERE \(sumsOfOld) AND generations = 0;
      UPDATE generation_count SET generations = generations - 1 WHERE state = OLD.state;
    END;

    CREATE TRIGGER artifact_is_summed AFTER INSERT ON artifact
    BEGIN UPDATE artifact_sum SET bytes = bytes + NEW.bytes; END;

    CREATE TRIGGER artifact_leaves_sum AFTER DELETE ON artifact
    BEGIN UPDATE artifact_sum SET bytes = bytes - OLD.bytes; END;
    """

  private static let sumUp = """
    INSERT INTO generation_sum (account, day, recipe, state, provider, failure, generations, credits, cost)
    VALUES (\(sumRow("NEW.account"))), (\(sumRow("''")))
    ON CONFLICT (account, day, recipe, state, provider, failure) DO UPDATE SET
      generations = generation_sum.generations + 1, credits = generation_sum.credits + excluded.credits,
      cost = generation_sum.cost + excluded.cost;
    """

  private static let countUp = """
    INSERT INTO generation_count (state, generations) VALUES (NEW.state, 1)
    ON CONFLICT (state) DO UPDATE SET generations = generation_count.generations + 1;
    """

  private static func sumRow(_ account: String) -> String {
    """
    \(account), \(day("NEW")), NEW.recipe, NEW.state, \(provider("NEW")), \(failure("NEW")), 1, NEW.credits_charged,
    \(cost("NEW"))
    """
  }

  private static let sumsOfOld = """
    account IN (OLD.account, '') AND day = \(day("OLD")) AND recipe = OLD.recipe AND state = OLD.state
      AND provider = \(provider("OLD")) AND failure = \(failure("OLD"))
    """

  /// Rounded down, before 1970 as well.
  private static func day(_ row: String) -> String {
    "(\(row).created - (\(row).created % 86400000 + 86400000) % 86400000) / 86400000"
  }

  private static func provider(_ row: String) -> String { "COALESCE(\(row).provider, '')" }

  /// As ``StoredError`` writes it, with the kind first: the functions for JSON are not to be had in a trigger.
  private static func failure(_ row: String) -> String {
    """
    CASE WHEN substr(\(row).error, 1, 9) = '{"kind":"'
      THEN substr(\(row).error, 10, instr(substr(\(row).error, 10), '"') - 1) ELSE '' END
    """
  }

  private static func cost(_ row: String) -> String {
    "CAST(round(COALESCE(\(row).cost_usd, 0) * 1000000) AS INTEGER)"
  }

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
    "\(row).state IN ('succeeded', 'partial') AND \(row).is_cached = 0 AND \(row).finished IS NOT NULL"
  }

  static let searchFollows = """
    CREATE TRIGGER generation_comes_late AFTER INSERT ON generation
    WHEN NEW.created < \(endOfSpans)
    BEGIN \(dropSpan("NEW")) END;

    CREATE TRIGGER generation_text_comes_late AFTER UPDATE OF prompt, text ON generation
    WHEN (NEW.text IS DISTINCT FROM OLD.text OR NEW.prompt IS DISTINCT FROM OLD.prompt) AND NEW.created < \(endOfSpans)
    BEGIN \(dropSpan("NEW")) END;

    CREATE TRIGGER generation_leaves_search AFTER DELETE ON generation
    WHEN OLD.created < \(endOfSpans)
    BEGIN \(dropSpan("OLD")) END;
    """

  /// Where the last span ends; they do not overlap.
  private static let endOfSpans = "(SELECT past FROM search_span ORDER BY first DESC LIMIT 1)"

  /// By the last span that begins before: they do not overlap.
  private static func dropSpan(_ row: String) -> String {
    """
    DELETE FROM search_span WHERE past > \(row).created
      AND first = (SELECT max(first) FROM search_span WHERE first <= \(row).created);
    """
  }

  static let sessionsFollow = """
    CREATE TRIGGER generation_joins_session AFTER INSERT ON generation
    WHEN NEW.parent IS NOT NULL
    BEGIN
      INSERT INTO session_step (generation_id, session, account, created)
      SELECT id, id, account, created FROM generation
      WHERE id = NEW.parent AND id <> NEW.id
        AND NOT EXISTS (SELECT 1 FROM session_step WHERE generation_id = NEW.parent);
      INSERT INTO session_step (generation_id, session, account, created)
      VALUES (
        NEW.id, COALESCE((SELECT session FROM session_step WHERE generation_id = NEW.parent), NEW.parent), NEW.account,
        NEW.created);
    END;

    CREATE TRIGGER session_gains_step AFTER INSERT ON session_step
    BEGIN
      INSERT INTO session (id, account, steps, latest) VALUES (NEW.session, NEW.account, 1, NEW.created)
      ON CONFLICT (id) DO UPDATE SET steps = session.steps + 1, latest = max(session.latest, excluded.latest);
    END;

    CREATE TRIGGER session_loses_step AFTER DELETE ON session_step
    BEGIN
      UPDATE session SET
        steps = steps - 1,
        latest = COALESCE((SELECT max(created) FROM session_step WHERE session = OLD.session), latest)
      WHERE id = OLD.session;
      DELETE FROM session WHERE id = OLD.session AND steps = 0;
    END;
    """
}
