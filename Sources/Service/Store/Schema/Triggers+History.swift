/// The sums, the search and the sessions follow the generations.
extension Schema {
  static let totalsFollow = [
    Trigger(
      "generation_is_summed", .after, "UPDATE OF state", on: "generation",
      when: "OLD.state IN ('queued', 'running') AND NEW.state NOT IN ('queued', 'running')",
      .run(sumUp), .run(countUp),
      .run(
        """
        INSERT INTO generation_tally (recipe, provider, state, bucket, generations, milliseconds)
        VALUES (NEW.recipe, \(provider("NEW")), NEW.state, \(tallyBucket("NEW")), 1, \(tallyDuration("NEW")))
        ON CONFLICT (recipe, provider, state, bucket) DO UPDATE SET
          generations = generation_tally.generations + 1,
          milliseconds = generation_tally.milliseconds + excluded.milliseconds
        """)),
    Trigger(
      "generation_ended_is_summed", .after, "INSERT", on: "generation",
      when: "NEW.state NOT IN ('queued', 'running')", .run(sumUp), .run(countUp)),
    Trigger(
      "generation_leaves_sums", .after, "DELETE", on: "generation",
      .run(
        """
        UPDATE generation_sum SET
          generations = generations - 1, credits = credits - OLD.credits_charged, cost = cost - \(cost("OLD"))
        WHERE \(sumsOfOld)
        """),
      .run("DELETE FROM generation_sum WHERE \(sumsOfOld) AND generations = 0"),
      .run("UPDATE generation_count SET generations = generations - 1 WHERE state = OLD.state")),
    Trigger(
      "artifact_is_summed", .after, "INSERT", on: "artifact",
      .run("UPDATE artifact_sum SET bytes = bytes + NEW.bytes")),
    Trigger(
      "artifact_leaves_sum", .after, "DELETE", on: "artifact",
      .run("UPDATE artifact_sum SET bytes = bytes - OLD.bytes")),
  ]

  private static let sumUp = """
    INSERT INTO generation_sum (account, day, recipe, state, provider, failure, generations, credits, cost)
    VALUES (\(sumRow("NEW.account"))), (\(sumRow("''")))
    ON CONFLICT (account, day, recipe, state, provider, failure) DO UPDATE SET
      generations = generation_sum.generations + 1, credits = generation_sum.credits + excluded.credits,
      cost = generation_sum.cost + excluded.cost
    """

  private static let countUp = """
    INSERT INTO generation_count (state, generations) VALUES (NEW.state, 1)
    ON CONFLICT (state) DO UPDATE SET generations = generation_count.generations + 1
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
    "CAST(round(CAST(COALESCE(\(row).cost_usd, 0) * 1000000 AS NUMERIC)) AS BIGINT)"
  }

  /// The upper bounds of the durations that are told apart, in milliseconds; the last stands for all longer ones.
  static let tallyBounds: [Int64] = [
    500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000, .max,
  ]

  private static func tallyDuration(_ row: String) -> String {
    "CASE WHEN \(isTimed(row)) AND \(row).finished > \(row).created THEN \(row).finished - \(row).created ELSE 0 END"
  }

  private static func tallyBucket(_ row: String) -> String {
    let bounds = tallyBounds.dropLast().map { "WHEN \(row).finished - \(row).created <= \($0) THEN \($0)" }
    return "CASE WHEN NOT (\(isTimed(row))) THEN 0 \(bounds.joined(separator: " ")) ELSE \(Int64.max) END"
  }

  /// What delivered, was not answered from the cache and knows its end.
  private static func isTimed(_ row: String) -> String {
    "\(row).state IN ('succeeded', 'partial') AND \(row).is_cached = 0 AND \(row).finished IS NOT NULL"
  }

  static let searchFollows = [
    Trigger(
      "generation_comes_late", .after, "INSERT", on: "generation", when: "NEW.created < \(endOfSpans)",
      .run(dropSpan("NEW"))),
    Trigger(
      "generation_text_comes_late", .after, "UPDATE OF prompt, text", on: "generation",
      when: """
        (NEW.text IS DISTINCT FROM OLD.text OR NEW.prompt IS DISTINCT FROM OLD.prompt) AND NEW.created < \(endOfSpans)
        """,
      .run(dropSpan("NEW"))),
    Trigger(
      "generation_leaves_search", .after, "DELETE", on: "generation", when: "OLD.created < \(endOfSpans)",
      .run(dropSpan("OLD"))),
  ]

  /// Where the last span ends; they do not overlap.
  private static let endOfSpans = "(SELECT past FROM search_span ORDER BY first DESC LIMIT 1)"

  /// By the last span that begins before: they do not overlap.
  private static func dropSpan(_ row: String) -> String {
    """
    DELETE FROM search_span WHERE past > \(row).created
      AND first = (SELECT max(first) FROM search_span WHERE first <= \(row).created)
    """
  }

  static let sessionsFollow = [
    Trigger(
      "generation_joins_session", .after, "INSERT", on: "generation", when: "NEW.parent IS NOT NULL",
      .run(
        """
        INSERT INTO session_step (generation_id, session, account, created)
        SELECT id, id, account, created FROM generation
        WHERE id = NEW.parent AND id <> NEW.id
          AND NOT EXISTS (SELECT 1 FROM session_step WHERE generation_id = NEW.parent)
        """),
      .run(
        """
        INSERT INTO session_step (generation_id, session, account, created)
        VALUES (
          NEW.id, COALESCE((SELECT session FROM session_step WHERE generation_id = NEW.parent), NEW.parent), NEW.account,
          NEW.created)
        """)),
    Trigger(
      "session_gains_step", .after, "INSERT", on: "session_step",
      .run(
        """
        INSERT INTO session (id, account, steps, latest) VALUES (NEW.session, NEW.account, 1, NEW.created)
        ON CONFLICT (id) DO UPDATE SET
          steps = session.steps + 1,
          latest = CASE WHEN excluded.latest > session.latest THEN excluded.latest ELSE session.latest END
        """)),
    Trigger(
      "session_loses_step", .after, "DELETE", on: "session_step",
      .run(
        """
        UPDATE session SET
          steps = steps - 1,
          latest = COALESCE((SELECT max(created) FROM session_step WHERE session = OLD.session), latest)
        WHERE id = OLD.session
        """),
      .run("DELETE FROM session WHERE id = OLD.session AND steps = 0")),
  ]
}
