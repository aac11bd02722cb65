/// What the server looks at before it takes a row of the ledger. A service's role may insert such rows: these rules see to
/// it that they are those of the ledger's operations, and none that somebody writes by hand.
///
/// Whoever has the file of a database in a data directory can do anything with it, so that there they would bind nobody.
enum PostgreSQLLedgerRules {
  static let triggers = LedgerTable.all.map(sealed) + [followed, caused]

  /// The hash of a row is that of its columns.
  private static func sealed(_ table: LedgerTable) -> Trigger {
    Trigger(
      "\(table.name)_is_sealed", .before, "INSERT", on: table.name,
      when: "NEW.hash IS DISTINCT FROM \(table.hash(ofRow: "NEW"))", .refuse("a row of the ledger has its hash"))
  }

  /// Each transfer follows from the one before it.
  private static let followed = Trigger(
    "transfer_follows", .before, "INSERT", on: "transfer",
    when: """
      NEW.seq IS DISTINCT FROM COALESCE((SELECT max(seq) FROM transfer), 0) + 1 OR NEW.previous_hash IS DISTINCT FROM
        COALESCE((SELECT hash FROM transfer ORDER BY seq DESC LIMIT 1), '')
      """,
    .refuse("a transfer follows from the one before it"))

  /// Credits are granted for something that is there.
  private static let caused = Trigger(
    "credit_grant_has_cause", .before, "INSERT", on: "credit_grant", when: "(\(isCaused)) IS NOT TRUE",
    .refuse("credits are granted for something that is there"))

  private static let account = DeletedAccount.digest(ofColumn: "NEW.account")
  private static let replaced = CreditGrantTable.replacedGrant(bySource: "NEW.source_key")

  private static let isCaused = """
    CASE
      WHEN NEW.source_key > '\(CreditGrantTable.mergedPrefix)' AND NEW.source_key < 'merged;' THEN EXISTS (
        SELECT 1 FROM transfer WHERE grant_id = \(replaced) AND kind = 'merge' AND amount = NEW.amount)
      WHEN NEW.kind = 'guest' THEN NEW.source_key = 'guest:' || \(account)
      WHEN NEW.kind = 'free' THEN NEW.source_key = 'free:' || \(account) OR EXISTS (
        SELECT 1 FROM account_identity
        WHERE identity = substr(NEW.source_key, 6) AND account_identity.account = NEW.account)
      WHEN NEW.kind = 'bundle' THEN EXISTS (
        SELECT 1 FROM receipt WHERE source = NEW.source_key AND receipt.account = NEW.account)
      WHEN NEW.kind = 'period' THEN EXISTS (
        SELECT 1 FROM subscription
        WHERE source = \(LedgerAudit.subscription(ofGrantFor: "NEW.source_key")) AND credits >= NEW.amount)
      WHEN NEW.kind = 'makegood' THEN EXISTS (
        SELECT 1 FROM transfer WHERE grant_id = \(replaced) AND kind = 'expire' AND amount = NEW.amount)
      WHEN NEW.source_key > '\(CreditGrantTable.debtPrefix)' AND NEW.source_key < 'owed;' THEN EXISTS (
        SELECT 1 FROM revocation WHERE source = substr(NEW.source_key, \(CreditGrantTable.debtPrefix.count + 1)))
      ELSE NEW.source_key > 'operator:' AND NEW.source_key < 'operator;' AND NEW.reason IS NOT NULL
    END
    """

  /// What must be there at the end of a transaction for each row that it has inserted.
  static let atCommit = [
    deferred(
      "credit_grant_is_given", on: "credit_grant",
      unless: "SELECT 1 FROM transfer WHERE grant_id = NEW.id AND kind = 'grant' AND amount = NEW.amount",
      "credits that are granted are given"),
    deferred(
      "hold_is_held", on: "hold",
      unless: """
        SELECT 1 FROM transfer WHERE hold_id = NEW.id AND kind = 'hold' HAVING sum(amount) = NEW.amount
        """,
      "a hold holds what it says"),
  ].joined(separator: "\n")

  /// The names of the rules in ``atCommit``.
  static let namesAtCommit = ["credit_grant_is_given", "hold_is_held"]

  private static func deferred(_ name: String, on table: String, unless query: String, _ reason: String) -> String {
    """
    CREATE FUNCTION \(name)() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NOT EXISTS (\(query)) THEN
    RAISE EXCEPTION USING ERRCODE = '\(PostgreSQLFault.ruleBroken)', MESSAGE = '\(reason)';
    END IF;
    RETURN NULL;
    END $$;
    REVOKE ALL ON FUNCTION \(name)() FROM PUBLIC;
    CREATE CONSTRAINT TRIGGER \(name) AFTER INSERT ON \(table) DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION \(name)();
    """
  }
}
