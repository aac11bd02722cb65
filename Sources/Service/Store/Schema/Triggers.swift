/// What SQLite sees to by itself: rules that no statement may break, and rows that follow others.
extension Schema {
  static let triggers = [generationRules, generationEnds, totalsFollow, searchFollows, sessionsFollow, ledgerRules]

  /// What a generation's row and its details keep.
  private static let generationRules = """
    CREATE TRIGGER generation_final_stays BEFORE UPDATE ON generation
    WHEN OLD.state NOT IN ('queued', 'running') AND NEW.account IS NOT DISTINCT FROM OLD.account
    BEGIN SELECT RAISE(ABORT, 'a generation that has ended never changes'); END;

    CREATE TRIGGER generation_follows_merge BEFORE UPDATE OF account ON generation
    WHEN NEW.account IS DISTINCT FROM OLD.account AND (
      OLD.state IN ('queued', 'running') OR NEW.state IS DISTINCT FROM OLD.state OR NOT EXISTS (
        SELECT 1 FROM account WHERE id = OLD.account AND merged_into = NEW.account))
    BEGIN SELECT RAISE(ABORT, 'only a merge gives a generation to another account'); END;

    CREATE TRIGGER generation_open_stays BEFORE DELETE ON generation
    WHEN OLD.state IN ('queued', 'running')
    BEGIN SELECT RAISE(ABORT, 'a generation that has not ended is not deleted'); END;

    CREATE TRIGGER generation_identity_stays BEFORE UPDATE ON generation
    WHEN NEW.id IS DISTINCT FROM OLD.id OR NEW.created IS DISTINCT FROM OLD.created
      OR NEW.params_hash IS DISTINCT FROM OLD.params_hash
      OR NEW.idempotency_key IS DISTINCT FROM OLD.idempotency_key OR NEW.ordinal IS DISTINCT FROM OLD.ordinal
    BEGIN SELECT RAISE(ABORT, 'a generation keeps what identifies it'); END;

    -- What was begun may be begun again where the store holds all that it needs.
    CREATE TRIGGER generation_never_goes_back BEFORE UPDATE OF state ON generation
    WHEN OLD.state = 'running' AND NEW.state = 'queued' AND NEW.is_requeueable = 0
    BEGIN SELECT RAISE(ABORT, 'a generation that has begun is not queued again'); END;

    -- A key whose generation ended without a picture and without a charge may stand for another try.
    CREATE TRIGGER idempotency_stays BEFORE UPDATE ON idempotency
    WHEN NEW.key IS DISTINCT FROM OLD.key OR NEW.params_hash IS DISTINCT FROM OLD.params_hash
      OR NEW.account IS DISTINCT FROM OLD.account AND NOT \(DeletedAccount.isDeleted("NEW.account")) AND NOT EXISTS (
        SELECT 1 FROM account WHERE id = OLD.account AND merged_into = NEW.account)
      OR NEW.account IS NOT DISTINCT FROM OLD.account AND NOT EXISTS (
        SELECT 1 FROM generation
        WHERE id = OLD.generation_id AND state IN ('failed', 'interrupted', 'expired') AND credits_charged = 0)
    BEGIN SELECT RAISE(ABORT, 'what an idempotency key stands for never changes'); END;

    CREATE TRIGGER idempotency_is_kept BEFORE DELETE ON idempotency
    WHEN NOT \(DeletedAccount.isDeleted("OLD.account"))
    BEGIN SELECT RAISE(ABORT, 'an idempotency key is never forgotten'); END;

    -- A thumbnail is made after the answer has gone out.
    CREATE TRIGGER generation_file_before_end BEFORE INSERT ON generation_file
    WHEN NEW.role <> 'thumbnail' AND \(hasEnded)
    BEGIN SELECT RAISE(ABORT, 'a generation that has ended gets no more files'); END;

    CREATE TRIGGER generation_file_stays BEFORE UPDATE ON generation_file
    BEGIN SELECT RAISE(ABORT, 'the files of a generation never change'); END;

    CREATE TRIGGER generation_turn_before_end BEFORE INSERT ON generation_turn
    WHEN \(hasEnded)
    BEGIN SELECT RAISE(ABORT, 'a generation that has ended gets no more turns'); END;

    CREATE TRIGGER generation_turn_stays BEFORE UPDATE ON generation_turn
    BEGIN SELECT RAISE(ABORT, 'the turns of a generation never change'); END;

    CREATE TRIGGER generation_cache_key_before_end BEFORE INSERT ON generation_cache_key
    WHEN \(hasEnded)
    BEGIN SELECT RAISE(ABORT, 'a generation that has ended gets no cache key'); END;

    CREATE TRIGGER generation_cache_key_stays BEFORE UPDATE ON generation_cache_key
    BEGIN SELECT RAISE(ABORT, 'the cache key of a generation never changes'); END;

    CREATE TRIGGER generation_feedback_after_end BEFORE INSERT ON generation_feedback
    WHEN NOT \(hasEnded)
    BEGIN SELECT RAISE(ABORT, 'nothing is thought of a generation before its end'); END;
    \(keptOfNone.map(notPrivate).joined(separator: "\n"))
    """

  /// Whether the generation that a new row belongs to has ended.
  private static let hasEnded = """
    (SELECT state FROM generation WHERE id = NEW.generation_id) NOT IN ('queued', 'running')
    """

  /// What a private generation may not have: the table, which of its rows, and the reason.
  private static let keptOfNone = [
    ("generation_file", "NEW.artifact IS NOT NULL AND ", "a private generation keeps no files"),
    ("generation_turn", "", "a private generation keeps no turns"),
    ("generation_cache_key", "", "a private generation answers nobody else"),
    ("generation_feedback", "NEW.text IS NOT NULL AND ", "a private generation keeps no words"),
    ("waiting_generation", "", "a private generation does not wait"),
    ("prepared", "", "the input of a private generation is not kept"),
  ]

  private static func notPrivate(_ table: String, which: String, because reason: String) -> String {
    """
    CREATE TRIGGER \(table)_not_private BEFORE INSERT ON \(table)
    WHEN \(which)(SELECT is_private FROM generation WHERE id = NEW.generation_id) = 1
    BEGIN SELECT RAISE(ABORT, '\(reason)'); END;
    """
  }

  /// What ends with a generation, whoever ends it and in whatever way.
  private static let generationEnds = """
    -- What was kept for it is kept no longer.
    CREATE TRIGGER generation_ends AFTER UPDATE OF state ON generation
    WHEN NEW.state NOT IN ('queued', 'running')
    BEGIN
      UPDATE prepared SET expires = min(expires, NEW.finished), needed_by = NULL WHERE needed_by = NEW.id;
      DELETE FROM waiting_generation WHERE generation_id = NEW.id;
      DELETE FROM generation_watch WHERE generation_id = NEW.id;
      DELETE FROM generation_interest WHERE generation_id = NEW.id;
    END;

    -- Whoever begins or ends it.
    CREATE TRIGGER generation_leaves_queue AFTER UPDATE OF state ON generation
    WHEN NEW.state <> 'queued'
    BEGIN DELETE FROM queued_generation WHERE generation_id = NEW.id; END;

    -- What the last process said is no longer so.
    CREATE TRIGGER generation_watch_starts_again AFTER UPDATE OF process ON generation
    WHEN NEW.process IS DISTINCT FROM OLD.process
    BEGIN UPDATE generation_watch SET progress = NULL WHERE generation_id = NEW.id; END;
    """
}
