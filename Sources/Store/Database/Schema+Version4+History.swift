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
