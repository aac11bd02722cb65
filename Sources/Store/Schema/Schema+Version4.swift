extension Schema {
  /// What came with the whole of the studio.
  static let version4 = [version4Templates, version4Cache, version4History, version4Queue].joined(separator: "\n")
}

extension Schema {
  /// What makes a long history quick to look through, and what people make of it.
  static let version4History = [
    version4HistoryOrder, version4HistorySums, version4HistorySearch, version4HistorySessions, version4HistoryRemarks,
  ].joined(separator: "\n")

  /// Pages of one recipe or state are read in order from one index, into which a generation comes when it ends: while
  /// it is open it would only move about in it. The sums at its end are for the parts of a day.
  static let version4HistoryOrder = """
    DROP INDEX generation_by_state;
    DROP INDEX generation_by_time;
    DROP INDEX generation_by_account;
    DROP INDEX generation_by_parent;
    CREATE INDEX generation_by_time ON generation (created DESC, id DESC);
    CREATE INDEX generation_by_account ON generation (account, created DESC, id DESC);
    CREATE INDEX generation_by_parent ON generation (parent, created DESC, id DESC) WHERE parent IS NOT NULL;
    CREATE INDEX generation_by_kind ON generation (recipe, state, created DESC, id DESC, credits_charged, cost_usd)
    WHERE state NOT IN ('queued', 'running');
    CREATE INDEX generation_by_account_kind
    ON generation (account, recipe, state, created DESC, id DESC, credits_charged, cost_usd)
    WHERE state NOT IN ('queued', 'running');

    -- Of those that are still kept.
    CREATE INDEX prepared_kept ON prepared (expires) WHERE artifact IS NOT NULL;
    CREATE INDEX prepared_by_account ON prepared (account) WHERE artifact IS NOT NULL;
    """

  /// What people say of a generation after its end, whose own row never changes.
  static let version4HistoryRemarks = """
    CREATE TABLE generation_feedback (
      generation_id TEXT NOT NULL PRIMARY KEY REFERENCES generation (id) ON DELETE CASCADE,
      rating INTEGER NOT NULL CHECK (rating BETWEEN 1 AND 5),
      text TEXT,
      created INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TRIGGER generation_feedback_after_end BEFORE INSERT ON generation_feedback
    WHEN (SELECT state FROM generation WHERE id = NEW.generation_id) IN ('queued', 'running')
    BEGIN SELECT RAISE(ABORT, 'nothing is thought of a generation before its end'); END;

    CREATE TRIGGER generation_feedback_not_private BEFORE INSERT ON generation_feedback
    WHEN NEW.text IS NOT NULL AND (SELECT is_private FROM generation WHERE id = NEW.generation_id)
    BEGIN SELECT RAISE(ABORT, 'a private generation keeps no words'); END;

    CREATE TABLE generation_annotation (
      generation_id TEXT NOT NULL PRIMARY KEY REFERENCES generation (id) ON DELETE CASCADE,
      -- In place of what came with the request; null for that.
      metadata TEXT,
      is_favourite INTEGER NOT NULL CHECK (is_favourite IN (0, 1))
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX generation_annotation_favourite ON generation_annotation (generation_id) WHERE is_favourite = 1;
    """
}

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

extension Schema {
  /// Where words cannot be, so that a search need not look there: see ``SearchSpan``. It holds no words, only bits of
  /// their hashes, and none of what was deleted: a stretch of which anything is deleted is dropped and made anew.
  ///
  /// It is made after the fact and may be missing: a stretch without it is read row by row. What comes late into a
  /// stretch, because a clock was set back or a text came at the end, drops it as well.
  static let version4HistorySearch = """
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

    CREATE TRIGGER generation_comes_late AFTER INSERT ON generation
    WHEN NEW.created < \(end)
    BEGIN \(dropSpan("NEW")) END;

    CREATE TRIGGER generation_text_comes_late AFTER UPDATE OF prompt, text ON generation
    WHEN (NEW.text IS NOT OLD.text OR NEW.prompt IS NOT OLD.prompt)
      AND NEW.created < \(end)
    BEGIN \(dropSpan("NEW")) END;

    CREATE TRIGGER generation_leaves_search AFTER DELETE ON generation
    WHEN OLD.created < \(end)
    BEGIN \(dropSpan("OLD")) END;
    """

  /// Where the last span ends; they do not overlap.
  private static let end = "(SELECT past FROM search_span ORDER BY first DESC LIMIT 1)"

  /// By the last span that begins before: they do not overlap.
  private static func dropSpan(_ row: String) -> String {
    """
    DELETE FROM search_span WHERE past > \(row).created
      AND first = (SELECT max(first) FROM search_span WHERE first <= \(row).created);
    """
  }
}

extension Schema {
  /// Chains of refinements. A session has the id of the generation it began with, and keeps it when that is deleted.
  /// A generation without a parent costs nothing here until it is refined.
  static let version4HistorySessions = """
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

    CREATE TRIGGER session_gains_step AFTER INSERT ON session_step
    BEGIN
      INSERT INTO session (id, account, steps, latest) VALUES (NEW.session, NEW.account, 1, NEW.created)
      ON CONFLICT DO UPDATE SET steps = steps + 1, latest = max(latest, excluded.latest);
    END;

    CREATE TRIGGER session_loses_step AFTER DELETE ON session_step
    BEGIN
      UPDATE session SET
        steps = steps - 1,
        latest = COALESCE((SELECT max(created) FROM session_step WHERE session = OLD.session), latest)
      WHERE id = OLD.session;
      DELETE FROM session WHERE id = OLD.session AND steps = 0;
    END;

    -- The first steps, those whose parent was deleted, and what refines them.
    INSERT INTO session_step (generation_id, session, account, created)
    WITH RECURSIVE step (id, session) AS (
      SELECT id, id FROM generation
      WHERE parent IS NULL AND id IN (SELECT parent FROM generation WHERE parent IS NOT NULL)
      UNION ALL
      SELECT id, parent FROM generation
      WHERE parent IS NOT NULL AND NOT EXISTS (SELECT 1 FROM generation AS earlier WHERE earlier.id = generation.parent)
      UNION ALL
      SELECT generation.id, step.session FROM step JOIN generation ON generation.parent = step.id
    )
    SELECT id, session, account, created FROM step JOIN generation USING (id);

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
    """
}

extension Schema {
  /// What answers an identical request, and what of the input belongs where when it is made again.
  ///
  /// Tables of their own: a process of an earlier version that has the database open goes on reading the others as it
  /// knows them, and what it deletes takes these rows along.
  static let version4Cache = """
    -- Only of generations that succeeded. Several may have the same key: the newest answers.
    CREATE TABLE generation_cache_key (
      generation_id TEXT NOT NULL PRIMARY KEY REFERENCES generation (id) ON DELETE CASCADE,
      key TEXT NOT NULL CHECK (length(key) = 64)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX generation_cache_key_by_key ON generation_cache_key (key);

    CREATE TRIGGER generation_cache_key_before_end BEFORE INSERT ON generation_cache_key
    WHEN (SELECT state FROM generation WHERE id = NEW.generation_id) NOT IN ('queued', 'running')
    BEGIN SELECT RAISE(ABORT, 'a generation that has ended gets no cache key'); END;

    CREATE TRIGGER generation_cache_key_not_private BEFORE INSERT ON generation_cache_key
    WHEN (SELECT is_private FROM generation WHERE id = NEW.generation_id)
    BEGIN SELECT RAISE(ABORT, 'a private generation answers nobody else'); END;

    CREATE TRIGGER generation_cache_key_stays BEFORE UPDATE ON generation_cache_key
    BEGIN SELECT RAISE(ABORT, 'the cache key of a generation never changes'); END;

    -- Prepared inputs that are not the photo but a picture to go by: which one, from 0.
    CREATE TABLE prepared_reference (
      prepared_id TEXT NOT NULL PRIMARY KEY REFERENCES prepared (id) ON DELETE CASCADE,
      position INTEGER NOT NULL CHECK (position >= 0)
    ) STRICT, WITHOUT ROWID;
    """
}

extension Schema {
  /// What waits for its provider: beside each such generation what its row has no room for, which providers cannot be
  /// reached, and whose queue is paused.
  ///
  /// The row of a generation that waits is `queued` and may be taken over, its pictures are prepared inputs that its
  /// request names: a process of an earlier version that takes one over can do it, without knowing of these tables.
  static let version4Queue = """
    -- From the moment it begins to wait until its end, also while it is tried.
    CREATE TABLE waiting_generation (
      generation_id TEXT NOT NULL PRIMARY KEY REFERENCES generation (id) ON DELETE CASCADE,
      account TEXT NOT NULL CHECK (account <> ''),
      provider TEXT NOT NULL CHECK (provider <> ''),
      deadline INTEGER NOT NULL,
      -- Tries that the provider has refused.
      attempts INTEGER NOT NULL CHECK (attempts >= 0),
      -- The ids of the prepared inputs that are kept for it alone.
      inputs TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX waiting_generation_by_deadline ON waiting_generation (deadline);

    CREATE TRIGGER waiting_generation_not_private BEFORE INSERT ON waiting_generation
    WHEN (SELECT is_private FROM generation WHERE id = NEW.generation_id)
    BEGIN SELECT RAISE(ABORT, 'a private generation does not wait'); END;

    -- Whoever ends it and in whatever way: what was kept for it is kept no longer.
    CREATE TRIGGER generation_waits_no_more AFTER UPDATE OF state ON generation
    WHEN NEW.state NOT IN ('queued', 'running')
      AND EXISTS (SELECT 1 FROM waiting_generation WHERE generation_id = NEW.id)
    BEGIN
      UPDATE prepared SET expires = NEW.finished
      WHERE expires > NEW.finished AND id IN (
        SELECT value FROM json_each((SELECT inputs FROM waiting_generation WHERE generation_id = NEW.id)));
      DELETE FROM waiting_generation WHERE generation_id = NEW.id;
    END;

    -- What waits may have been tried: its provider was not reached, or refused it.
    DROP TRIGGER generation_never_goes_back;
    CREATE TRIGGER generation_never_goes_back BEFORE UPDATE OF state ON generation
    WHEN OLD.state = 'running' AND NEW.state = 'queued'
      AND NOT EXISTS (SELECT 1 FROM waiting_generation WHERE generation_id = OLD.id)
    BEGIN SELECT RAISE(ABORT, 'a generation that has begun is not queued again'); END;

    CREATE TABLE provider_outage (
      provider TEXT NOT NULL PRIMARY KEY CHECK (provider <> ''),
      since INTEGER NOT NULL,
      -- Null while it lasts.
      ended INTEGER,
      -- Times in a row that it was not reached.
      failures INTEGER NOT NULL CHECK (failures > 0),
      next_probe INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE queue_pause (
      -- Whose; empty for everybody's.
      account TEXT NOT NULL PRIMARY KEY,
      since INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
}

extension Schema {
  static let version4Templates = """
    -- Every use of a template: pictures were delivered. A row a use, not a sum: what is listed in pages is ordered by the
    -- uses up to one row, whatever is used meanwhile.
    CREATE TABLE template_use (
      seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
      template TEXT NOT NULL CHECK (template <> '')
    ) STRICT;

    CREATE INDEX template_use_by_template ON template_use (template);
    """
}
