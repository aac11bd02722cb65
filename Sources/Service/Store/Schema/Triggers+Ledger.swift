/// The ledger is only added to, and its balances are the sums of its transfers.
extension Schema {
  static let ledgerRules =
    [
      Trigger(
        "account_keeps_identity", .before, "UPDATE", on: "account",
        when: """
          (NEW.id IS DISTINCT FROM OLD.id OR NEW.ended IS DISTINCT FROM OLD.ended) AND NOT (\(losesName("id")))
            OR NEW.created IS DISTINCT FROM OLD.created OR OLD.merged_into IS NOT NULL AND NEW.merged_into IS NULL
          """,
        .refuse("an account keeps what identifies it")),
      Trigger(
        "subscription_only_ends", .before, "UPDATE", on: "subscription",
        when: """
          NEW.source IS DISTINCT FROM OLD.source
            OR NEW.account IS DISTINCT FROM OLD.account AND NOT (\(losesName("account")))
            OR NEW.product IS DISTINCT FROM OLD.product OR NEW.credits IS DISTINCT FROM OLD.credits
            OR NEW.starts IS DISTINCT FROM OLD.starts OR NEW.created IS DISTINCT FROM OLD.created
            OR NEW.account IS NOT DISTINCT FROM OLD.account AND (NEW.ends IS NULL OR NEW.ends > OLD.ends)
          """,
        .refuse("a subscription changes only by ending earlier")),
      Trigger(
        "account_has_balance", .after, "INSERT", on: "account",
        .run("INSERT INTO account_balance (account, available, held) VALUES (NEW.id, 0, 0)")),
      Trigger(
        "grant_has_balance", .after, "INSERT", on: "credit_grant",
        .run("INSERT INTO grant_balance (grant_id, available, held) VALUES (NEW.id, 0, 0)")),
      Trigger(
        "transfer_moves_credits", .after, "INSERT", on: "transfer",
        .run("UPDATE account_balance SET \(move("available")), \(move("held")) WHERE account = NEW.account"),
        .run("UPDATE grant_balance SET \(move("available")), \(move("held")) WHERE grant_id = NEW.grant_id"),
        .refuse(
          "a transfer tells another balance than there is",
          where: """
            NEW.available_after IS DISTINCT FROM (SELECT available FROM account_balance WHERE account = NEW.account)
              OR NEW.account IS DISTINCT FROM (SELECT account FROM credit_grant WHERE id = NEW.grant_id)
            """)),
      Trigger(
        "hold_ends_whole", .before, "INSERT", on: "hold_end",
        .refuse(
          "a hold ends with all of it captured or released",
          where: """
            (SELECT amount FROM hold WHERE id = NEW.hold_id) IS DISTINCT FROM
                (SELECT sum(amount) FROM transfer WHERE hold_id = NEW.hold_id AND kind IN ('capture', 'release'))
              OR NEW.captured IS DISTINCT FROM
                (SELECT COALESCE(sum(amount), 0) FROM transfer WHERE hold_id = NEW.hold_id AND kind = 'capture')
            """)),
      Trigger(
        "ended_hold_stays", .before, "INSERT", on: "transfer",
        when: """
          NEW.kind IN ('hold', 'capture', 'release') AND EXISTS (SELECT 1 FROM hold_end WHERE hold_id = NEW.hold_id)
          """,
        .refuse("a hold that has ended moves no more credits")),
    ] + writtenOnce.map(unchanging) + (writtenOnce + ["account", "subscription"]).map(keeping)

  private static func move(_ balance: String) -> String {
    """
    \(balance) = \(balance) + CASE WHEN NEW.destination = '\(balance)' THEN NEW.amount ELSE 0 END
      - CASE WHEN NEW.source = '\(balance)' THEN NEW.amount ELSE 0 END
    """
  }

  private static let writtenOnce = [
    "account_identity", "credit_grant", "hold", "hold_end", "transfer", "receipt", "receipt_refund", "grant_refund",
    "shortfall_payment", "revocation", "revocation_payment", "revocation_effect", "clock_jump",
  ]

  /// Whether the account that a row names loses its name and nothing else of it changes.
  private static func losesName(_ column: String) -> String {
    "\(DeletedAccount.isDeleted("NEW.\(column)")) AND NOT \(DeletedAccount.isDeleted("OLD.\(column)"))"
  }

  private static func unchanging(_ table: String) -> Trigger {
    var condition: String?
    if let ledgerTable = LedgerTable.all.first(where: { $0.name == table }), ledgerTable.columns.contains("account") {
      let others = (ledgerTable.columns + ["hash"]).filter { $0 != "account" }
        .map { " OR NEW.\($0) IS DISTINCT FROM OLD.\($0)" }
      condition = "(\(losesName("account"))) IS NOT TRUE\(others.joined())"
    }
    return Trigger(
      "\(table)_stays", .before, "UPDATE", on: table, when: condition, .refuse("the ledger is only added to"))
  }

  /// The identities of a deleted account go with it.
  private static func keeping(_ table: String) -> Trigger {
    Trigger(
      "\(table)_is_kept", .before, "DELETE", on: table,
      when: table == "account_identity" ? "NOT \(DeletedAccount.isDeleted("OLD.account"))" : nil,
      .refuse("the ledger is only added to"))
  }
}
