/// The ledger is only added to, and its balances are the sums of its transfers.
extension Schema {
  static let ledgerRules = """
    CREATE TRIGGER account_keeps_identity BEFORE UPDATE ON account
    WHEN NEW.id IS DISTINCT FROM OLD.id AND NOT (\(losesName("id")))
      OR NEW.created IS DISTINCT FROM OLD.created OR OLD.merged_into IS NOT NULL AND NEW.merged_into IS NULL
    BEGIN SELECT RAISE(ABORT, 'an account keeps what identifies it'); END;

    CREATE TRIGGER subscription_only_ends BEFORE UPDATE ON subscription
    WHEN NEW.source IS DISTINCT FROM OLD.source
      OR NEW.account IS DISTINCT FROM OLD.account AND NOT (\(losesName("account")))
      OR NEW.product IS DISTINCT FROM OLD.product OR NEW.credits IS DISTINCT FROM OLD.credits
      OR NEW.starts IS DISTINCT FROM OLD.starts OR NEW.created IS DISTINCT FROM OLD.created
      OR NEW.account IS NOT DISTINCT FROM OLD.account AND (NEW.ends IS NULL OR NEW.ends > OLD.ends)
    BEGIN SELECT RAISE(ABORT, 'a subscription changes only by ending earlier'); END;

    CREATE TRIGGER account_has_balance AFTER INSERT ON account
    BEGIN INSERT INTO account_balance (account, available, held) VALUES (NEW.id, 0, 0); END;

    CREATE TRIGGER grant_has_balance AFTER INSERT ON credit_grant
    BEGIN INSERT INTO grant_balance (grant_id, available, held) VALUES (NEW.id, 0, 0); END;

    CREATE TRIGGER transfer_moves_credits AFTER INSERT ON transfer
    BEGIN
      UPDATE account_balance SET \(move("available")), \(move("held")) WHERE account = NEW.account;
      UPDATE grant_balance SET \(move("available")), \(move("held")) WHERE grant_id = NEW.grant_id;
      SELECT RAISE(ABORT, 'a transfer tells another balance than there is')
      WHERE NEW.available_after IS DISTINCT FROM (SELECT available FROM account_balance WHERE account = NEW.account)
        OR NEW.account IS DISTINCT FROM (SELECT account FROM credit_grant WHERE id = NEW.grant_id);
    END;

    CREATE TRIGGER hold_ends_whole BEFORE INSERT ON hold_end
    BEGIN
      SELECT RAISE(ABORT, 'a hold ends with all of it captured or released')
      WHERE (SELECT amount FROM hold WHERE id = NEW.hold_id) IS DISTINCT FROM
          (SELECT sum(amount) FROM transfer WHERE hold_id = NEW.hold_id AND kind IN ('capture', 'release'))
        OR NEW.captured IS DISTINCT FROM
          (SELECT COALESCE(sum(amount), 0) FROM transfer WHERE hold_id = NEW.hold_id AND kind = 'capture');
    END;

    CREATE TRIGGER ended_hold_stays BEFORE INSERT ON transfer
    WHEN NEW.kind IN ('hold', 'capture', 'release') AND EXISTS (SELECT 1 FROM hold_end WHERE hold_id = NEW.hold_id)
    BEGIN SELECT RAISE(ABORT, 'a hold that has ended moves no more credits'); END;
    \(writtenOnce.map(unchanging).joined(separator: "\n"))
    \((writtenOnce + ["account", "subscription"]).map(keeping).joined(separator: "\n"))
    """

  private static func move(_ balance: String) -> String {
    """
    \(balance) = \(balance) + CASE WHEN NEW.destination = '\(balance)' THEN NEW.amount ELSE 0 END
      - CASE WHEN NEW.source = '\(balance)' THEN NEW.amount ELSE 0 END
    """
  }

  private static let writtenOnce = [
    "account_identity", "credit_grant", "hold", "hold_end", "transfer", "receipt", "receipt_refund", "grant_refund",
    "shortfall_payment", "revocation", "clock_jump",
  ]

  /// Whether the account that a row names loses its name and nothing else of it changes.
  private static func losesName(_ column: String) -> String {
    "\(DeletedAccount.isDeleted("NEW.\(column)")) AND NOT \(DeletedAccount.isDeleted("OLD.\(column)"))"
  }

  private static func unchanging(_ table: String) -> String {
    var condition = ""
    if let ledgerTable = LedgerTable.all.first(where: { $0.name == table }), ledgerTable.columns.contains("account") {
      let others = (ledgerTable.columns + ["hash"]).filter { $0 != "account" }
        .map { " OR NEW.\($0) IS DISTINCT FROM OLD.\($0)" }
      condition = "WHEN NOT (\(losesName("account")))\(others.joined())\n"
    }
    return """
      CREATE TRIGGER \(table)_stays BEFORE UPDATE ON \(table)
      \(condition)BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;
      """
  }

  /// The identities of a deleted account go with it.
  private static func keeping(_ table: String) -> String {
    let condition = table == "account_identity" ? "WHEN NOT \(DeletedAccount.isDeleted("OLD.account"))\n" : ""
    return """
      CREATE TRIGGER \(table)_is_kept BEFORE DELETE ON \(table)
      \(condition)BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;
      """
  }
}
