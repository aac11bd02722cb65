/// What the database sees to by itself: rules that no statement may break, and rows that follow others.
extension Schema {
  static let triggers = generationRules + generationEnds + totalsFollow + searchFollows + sessionsFollow + ledgerRules

  /// What a generation's row and its details keep.
  private static let generationRules =
    [
      Trigger(
        "generation_final_stays", .before, "UPDATE", on: "generation",
        when: "OLD.state NOT IN ('queued', 'running') AND NEW.account IS NOT DISTINCT FROM OLD.account",
        .refuse("a generation that has ended never changes")),
      Trigger(
        "generation_follows_merge", .before, "UPDATE OF account", on: "generation",
        when: """
          NEW.account IS DISTINCT FROM OLD.account AND (
            OLD.state IN ('queued', 'running') OR NEW.state IS DISTINCT FROM OLD.state OR NOT EXISTS (
              SELECT 1 FROM account WHERE id = OLD.account AND merged_into = NEW.account))
          """,
        .refuse("only a merge gives a generation to another account")),
      Trigger(
        "generation_open_stays", .before, "DELETE", on: "generation", when: "OLD.state IN ('queued', 'running')",
        .refuse("a generation that has not ended is not deleted")),
      Trigger(
        "generation_identity_stays", .before, "UPDATE", on: "generation",
        when: """
          NEW.id IS DISTINCT FROM OLD.id OR NEW.created IS DISTINCT FROM OLD.created
            OR NEW.params_hash IS DISTINCT FROM OLD.params_hash
            OR NEW.idempotency_key IS DISTINCT FROM OLD.idempotency_key OR NEW.ordinal IS DISTINCT FROM OLD.ordinal
          """,
        .refuse("a generation keeps what identifies it")),
      // What was begun may be begun again where the store holds all that it needs.
      Trigger(
        "generation_never_goes_back", .before, "UPDATE OF state", on: "generation",
        when: "OLD.state = 'running' AND NEW.state = 'queued' AND NEW.is_requeueable = 0",
        .refuse("a generation that has begun is not queued again")),
      // A key whose generation ended without a picture and without a charge may stand for another try.
      Trigger(
        "idempotency_stays", .before, "UPDATE", on: "idempotency",
        when: """
          NEW.key IS DISTINCT FROM OLD.key OR NEW.params_hash IS DISTINCT FROM OLD.params_hash
            OR NEW.account IS DISTINCT FROM OLD.account AND NOT \(DeletedAccount.isDeleted("NEW.account")) AND NOT EXISTS (
              SELECT 1 FROM account WHERE id = OLD.account AND merged_into = NEW.account)
            OR NEW.account IS NOT DISTINCT FROM OLD.account AND NOT EXISTS (
              SELECT 1 FROM generation
              WHERE id = OLD.generation_id AND state IN ('failed', 'interrupted', 'expired') AND credits_charged = 0)
          """,
        .refuse("what an idempotency key stands for never changes")),
      Trigger(
        "idempotency_is_kept", .before, "DELETE", on: "idempotency",
        when: "NOT \(DeletedAccount.isDeleted("OLD.account"))", .refuse("an idempotency key is never forgotten")),
      // A thumbnail is made after the answer has gone out.
      Trigger(
        "generation_file_before_end", .before, "INSERT", on: "generation_file",
        when: "NEW.role <> 'thumbnail' AND \(hasEnded)", .refuse("a generation that has ended gets no more files")),
      Trigger(
        "generation_file_stays", .before, "UPDATE", on: "generation_file",
        .refuse("the files of a generation never change")),
      Trigger(
        "generation_turn_before_end", .before, "INSERT", on: "generation_turn", when: hasEnded,
        .refuse("a generation that has ended gets no more turns")),
      Trigger(
        "generation_turn_stays", .before, "UPDATE", on: "generation_turn",
        .refuse("the turns of a generation never change")),
      Trigger(
        "generation_cache_key_before_end", .before, "INSERT", on: "generation_cache_key", when: hasEnded,
        .refuse("a generation that has ended gets no cache key")),
      Trigger(
        "generation_cache_key_stays", .before, "UPDATE", on: "generation_cache_key",
        .refuse("the cache key of a generation never changes")),
      Trigger(
        "generation_feedback_after_end", .before, "INSERT", on: "generation_feedback", when: "NOT \(hasEnded)",
        .refuse("nothing is thought of a generation before its end")),
    ] + keptOfNone.map(notPrivate)

  /// Whether the generation that a new row belongs to has ended.
  private static let hasEnded = "(SELECT state FROM generation WHERE id = NEW.generation_id) NOT IN ('queued', 'running')"

  /// What a private generation may not have: the table, which of its rows, and the reason.
  private static let keptOfNone = [
    ("generation_file", "NEW.artifact IS NOT NULL AND ", "a private generation keeps no files"),
    ("generation_turn", "", "a private generation keeps no turns"),
    ("generation_cache_key", "", "a private generation answers nobody else"),
    ("generation_feedback", "NEW.text IS NOT NULL AND ", "a private generation keeps no words"),
    ("waiting_generation", "", "a private generation does not wait"),
    ("prepared", "", "the input of a private generation is not kept"),
  ]

  private static func notPrivate(_ table: String, which: String, because reason: String) -> Trigger {
    Trigger(
      "\(table)_not_private", .before, "INSERT", on: table,
      when: "\(which)(SELECT is_private FROM generation WHERE id = NEW.generation_id) = 1", .refuse(reason))
  }

  /// What ends with a generation, whoever ends it and in whatever way.
  private static let generationEnds = [
    // What was kept for it is kept no longer.
    Trigger(
      "generation_ends", .after, "UPDATE OF state", on: "generation",
      when: "NEW.state NOT IN ('queued', 'running')",
      .run(
        """
        UPDATE prepared SET
          expires = CASE WHEN NEW.finished < expires THEN NEW.finished ELSE expires END, needed_by = NULL
        WHERE needed_by = NEW.id
        """),
      .run("DELETE FROM waiting_generation WHERE generation_id = NEW.id"),
      .run("DELETE FROM generation_watch WHERE generation_id = NEW.id"),
      .run("DELETE FROM generation_interest WHERE generation_id = NEW.id")),
    // Whoever begins or ends it.
    Trigger(
      "generation_leaves_queue", .after, "UPDATE OF state", on: "generation", when: "NEW.state <> 'queued'",
      .run("DELETE FROM queued_generation WHERE generation_id = NEW.id")),
    // What the last process said is no longer so.
    Trigger(
      "generation_watch_starts_again", .after, "UPDATE OF process", on: "generation",
      when: "NEW.process IS DISTINCT FROM OLD.process",
      .run("UPDATE generation_watch SET progress = NULL WHERE generation_id = NEW.id")),
  ]
}
