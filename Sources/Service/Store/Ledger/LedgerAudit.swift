/// All invariants of the ledger, as one query that returns the violations.
enum LedgerAudit {
  /// One violation.
  struct Finding: Equatable {
    /// The violation, such as `hold is open though its generation has ended`.
    var what: String
    /// The row that violates it.
    var subject: String
  }

  static func findings(in session: any SQLSession) throws -> [Finding] {
    try session.rows(query).map { Finding(what: try $0.value("finding"), subject: try $0.value("subject")) }
  }

  private static let query = (LedgerTable.all.map(\.audit) + conditions.map(\.select)).joined(separator: "\nUNION ALL\n")

  struct Condition {
    /// The meaning of a row that is found.
    var finding: String
    var subject: String
    var from: String

    var select: String { "SELECT '\(finding)', CAST(\(subject) AS TEXT) FROM \(from)" }
  }

  private static let conditions =
    sums + chains + holds + ends + purchases + causes + LedgerAudit.revocations + merges + debts

  private static let sums = [
    Condition(
      finding: "balance of the account is not the sum of its transfers", subject: "account.id",
      from: """
        account LEFT JOIN account_balance ON account_balance.account = account.id LEFT JOIN (
          SELECT account, \(moved(to: "available")) AS available, \(moved(to: "held")) AS held
          FROM transfer GROUP BY account) AS moved ON moved.account = account.id
        WHERE account_balance.available IS DISTINCT FROM coalesce(moved.available, 0)
          OR account_balance.held IS DISTINCT FROM coalesce(moved.held, 0)
        """),
    Condition(
      finding: "balance of the grant is not the sum of its transfers", subject: "credit_grant.id",
      from: """
        credit_grant LEFT JOIN grant_balance ON grant_balance.grant_id = credit_grant.id LEFT JOIN (
          SELECT grant_id, \(moved(to: "available")) AS available, \(moved(to: "held")) AS held
          FROM transfer GROUP BY grant_id) AS moved ON moved.grant_id = credit_grant.id
        WHERE grant_balance.available IS DISTINCT FROM coalesce(moved.available, 0)
          OR grant_balance.held IS DISTINCT FROM coalesce(moved.held, 0)
        """),
    Condition(
      finding: "grant was not given exactly once", subject: "credit_grant.id",
      from: """
        credit_grant WHERE amount IS DISTINCT FROM (
          SELECT CASE count(*) WHEN 1 THEN sum(transfer.amount) END FROM transfer
          WHERE grant_id = credit_grant.id AND kind = 'grant')
        """),
  ]

  private static func moved(to bucket: String) -> String {
    """
    sum(CASE WHEN destination = '\(bucket)' THEN amount ELSE 0 END - CASE WHEN source = '\(bucket)' THEN amount ELSE 0 END)
    """
  }

  private static let chains = [
    Condition(
      finding: "transfer does not follow from the one before it", subject: "seq",
      from: """
        (SELECT seq, previous_hash, lag(hash, 1, '') OVER (ORDER BY seq) AS before,
           row_number() OVER (ORDER BY seq) AS position FROM transfer) AS chained
        WHERE previous_hash IS DISTINCT FROM before OR seq IS DISTINCT FROM position
        """),
    Condition(
      finding: "transfer tells another balance than the one before it leads to", subject: "seq",
      from: """
        (SELECT seq, available_after,
           lag(available_after, 1, 0) OVER (PARTITION BY account ORDER BY seq)
             + CASE WHEN destination = 'available' THEN amount ELSE 0 END
             - CASE WHEN source = 'available' THEN amount ELSE 0 END AS due
         FROM transfer) AS balanced
        WHERE available_after IS DISTINCT FROM due
        """),
    Condition(
      finding: "transfer is of another account than its grant or its hold", subject: "seq",
      from: """
        transfer LEFT JOIN credit_grant ON credit_grant.id = grant_id LEFT JOIN hold ON hold.id = hold_id
        WHERE transfer.account IS DISTINCT FROM credit_grant.account
          OR (hold_id IS NOT NULL AND transfer.account IS DISTINCT FROM hold.account)
        """),
  ]

  private static let holds = [
    Condition(
      finding: "hold does not hold what it says", subject: "hold.id",
      from: """
        hold WHERE amount IS DISTINCT FROM (
          SELECT sum(transfer.amount) FROM transfer WHERE hold_id = hold.id AND kind = 'hold')
        """),
    Condition(
      finding: "hold is not captured or released as its end says", subject: "hold.id",
      from: """
        hold LEFT JOIN hold_end ON hold_end.hold_id = hold.id LEFT JOIN (
          SELECT hold_id, sum(CASE WHEN kind = 'capture' THEN amount ELSE 0 END) AS captured, sum(amount) AS ended
          FROM transfer WHERE kind IN ('capture', 'release') GROUP BY hold_id) AS moved ON moved.hold_id = hold.id
        WHERE moved.captured IS DISTINCT FROM hold_end.captured
          OR moved.ended IS DISTINCT FROM CASE WHEN hold_end.hold_id IS NULL THEN NULL ELSE hold.amount END
        """),
    Condition(
      finding: "end of a hold that is not there", subject: "hold_end.hold_id",
      from: "hold_end WHERE NOT EXISTS (SELECT 1 FROM hold WHERE id = hold_end.hold_id)"),
  ]

  private static let ends = [
    Condition(
      finding: "hold is open though its generation has ended", subject: "hold.id",
      from: """
        hold WHERE NOT EXISTS (SELECT 1 FROM hold_end WHERE hold_id = hold.id) AND NOT EXISTS (
          SELECT 1 FROM generation WHERE generation.id = hold.generation_id AND state IN ('queued', 'running'))
        """),
    Condition(
      finding: "generation charges other credits than its hold captured", subject: "generation.id",
      from: """
        hold JOIN generation ON generation.id = hold.generation_id LEFT JOIN hold_end ON hold_end.hold_id = hold.id
        WHERE generation.credits_charged IS DISTINCT FROM coalesce(hold_end.captured, 0)
          OR generation.account IS DISTINCT FROM \(AccountTable.present("hold.account"))
        """),
    Condition(
      finding: "generation charges credits that were never held", subject: "generation.id",
      from: """
        generation JOIN account ON account.id = generation.account
        WHERE credits_charged > 0 AND generation.created >= account.created AND NOT EXISTS (
          SELECT 1 FROM hold WHERE hold.generation_id = generation.id)
        """),
    Condition(
      finding: "generation charges credits without having delivered", subject: "generation.id",
      from: """
        generation WHERE credits_charged > 0 AND (state NOT IN ('succeeded', 'partial') OR places IS NULL AND NOT EXISTS (
          SELECT 1 FROM generation_file WHERE generation_file.generation_id = generation.id AND role = 'image'))
        """),
    Condition(
      finding: "generation delivered what was held for without a charge", subject: "generation.id",
      from: """
        hold JOIN generation ON generation.id = generation_id LEFT JOIN hold_end ON hold_end.hold_id = hold.id
        WHERE state IN ('succeeded', 'partial') AND credits_charged = 0
          AND hold_end.reason IS DISTINCT FROM '\(Ledger.noCost)'
          AND (places IS NOT NULL
            OR EXISTS (
              SELECT 1 FROM generation_file WHERE generation_file.generation_id = generation.id AND role = 'image'))
        """),
    Condition(
      finding: "idempotency key is of other params than its generation", subject: "generation_id",
      from: """
        idempotency JOIN generation ON generation.id = generation_id
        WHERE idempotency.params_hash IS DISTINCT FROM generation.params_hash
        """),
  ]

  private static let purchases = [
    Condition(
      finding: "refund of a purchase that is not there", subject: "source",
      from: "receipt_refund WHERE NOT EXISTS (SELECT 1 FROM receipt WHERE receipt.source = receipt_refund.source)"),
    Condition(
      finding: "purchase of nobody that was not refunded", subject: "source",
      from: """
        receipt WHERE account IS NULL
          AND NOT EXISTS (SELECT 1 FROM receipt_refund WHERE receipt_refund.source = receipt.source)
        """),
    Condition(
      finding: "receipt of a bundle without its grant", subject: "source",
      from: """
        receipt WHERE kind = 'bundle' AND account IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM credit_grant WHERE source_key = source AND credit_grant.account = receipt.account)
        """),
    Condition(
      finding: "receipt of a subscription without the subscription", subject: "source",
      from: """
        receipt WHERE kind = 'subscription' AND account IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM subscription
          WHERE subscription.source = receipt.source AND subscription.account = receipt.account)
        """),
    Condition(
      finding: "bundle without a receipt", subject: "credit_grant.id",
      from: """
        credit_grant WHERE kind = 'bundle' AND NOT \(CreditGrantTable.isMerged)
          AND NOT EXISTS (SELECT 1 FROM receipt WHERE source = source_key)
        """),
    Condition(
      finding: "refunded grant can still be spent", subject: "grant_refund.grant_id",
      from: """
        grant_refund JOIN grant_balance ON grant_balance.grant_id = grant_refund.grant_id WHERE available > 0
        """),
    Condition(
      finding: "payment of a shortfall is not its transfer", subject: "transfer_seq",
      from: """
        shortfall_payment LEFT JOIN transfer ON seq = transfer_seq
        WHERE transfer.kind IS DISTINCT FROM 'revoke' OR transfer.amount IS DISTINCT FROM shortfall_payment.amount
          OR transfer.account IS DISTINCT FROM shortfall_payment.account
        """),
  ]

  /// The subscription for which a month's credits were granted: `premium:<source>:<number>`, or with `+<count>` what was
  /// granted for the month later.
  static func subscription(ofGrantFor source: String) -> String {
    "rtrim(rtrim(substr(\(source), 9), '0123456789+'), ':')"
  }

  private static let subscriptionOfGrant = subscription(ofGrantFor: "source_key")

  private static let replacedByGrant = CreditGrantTable.replacedGrant(bySource: "source_key")

  /// Rows that need another row, which was removed.
  private static let causes = [
    Condition(
      finding: "balance of an account that is not there", subject: "account_balance.account",
      from: "account_balance WHERE NOT EXISTS (SELECT 1 FROM account WHERE id = account_balance.account)"),
    Condition(
      finding: "free credits of an identity that is not there", subject: "credit_grant.id",
      from: """
        credit_grant WHERE kind = 'free' AND NOT \(CreditGrantTable.isMerged) AND NOT \(DeletedAccount.isDeleted("account"))
          AND source_key <> 'free:' || \(DeletedAccount.digest(ofColumn: "account")) AND NOT EXISTS (
          SELECT 1 FROM account_identity WHERE identity = substr(source_key, 6)
            AND account_identity.account = credit_grant.account)
        """),
    Condition(
      finding: "credits of a month without the subscription", subject: "credit_grant.id",
      from: """
        credit_grant WHERE kind = 'period' AND NOT \(CreditGrantTable.isMerged) AND NOT EXISTS (
          SELECT 1 FROM subscription WHERE source = \(subscriptionOfGrant)
            AND \(AccountTable.present("subscription.account")) = \(AccountTable.present("credit_grant.account")))
        """),
    Condition(
      finding: "subscription that was neither bought nor given", subject: "source",
      from: """
        subscription WHERE source NOT LIKE 'operator:%'
          AND NOT EXISTS (SELECT 1 FROM receipt WHERE receipt.source = subscription.source)
        """),
    Condition(
      finding: "refunded purchase whose credits were not taken back", subject: "credit_grant.id",
      from: """
        receipt_refund JOIN credit_grant ON source_key = source OR (
          source_key > 'premium:' || source || ':' AND source_key < 'premium:' || source || ';')
        WHERE NOT EXISTS (SELECT 1 FROM grant_refund WHERE grant_id = credit_grant.id)
        """),
    Condition(
      finding: "what replaced credits of a refunded purchase was not taken back", subject: "credit_grant.id",
      from: """
        credit_grant WHERE (kind = 'makegood' OR \(CreditGrantTable.isMerged))
          AND EXISTS (SELECT 1 FROM grant_refund WHERE grant_id = \(replacedByGrant))
          AND NOT EXISTS (SELECT 1 FROM grant_refund WHERE grant_id = credit_grant.id)
        """),
    Condition(
      finding: "credits taken back for a refund that is not there", subject: "grant_refund.grant_id",
      from: """
        grant_refund JOIN credit_grant ON credit_grant.id = grant_id WHERE CASE
          WHEN kind = 'makegood' OR \(CreditGrantTable.isMerged) THEN NOT EXISTS (
            SELECT 1 FROM grant_refund AS original WHERE original.grant_id = \(replacedByGrant))
          ELSE NOT EXISTS (
            SELECT 1 FROM receipt_refund
            WHERE source = CASE kind WHEN 'period' THEN \(subscriptionOfGrant) ELSE source_key END)
          END
        """),
    Condition(
      finding: "revocation without a reason, a refund or a debt", subject: "seq",
      from: """
        transfer WHERE kind = 'revoke' AND reason IS NULL
          -- A refund takes what is there at once, and the rest when it is released.
          AND NOT EXISTS (
            SELECT 1 FROM grant_refund WHERE grant_refund.grant_id = transfer.grant_id
              AND (grant_refund.created <= transfer.created OR hold_id IS NOT NULL))
          AND NOT EXISTS (SELECT 1 FROM shortfall_payment WHERE transfer_seq = seq)
        """),
  ]

  /// Accounts whose credits go on in another one.
  private static let merges = [
    Condition(
      finding: "merged account still has credits", subject: "account.id",
      from: """
        account JOIN account_balance ON account_balance.account = account.id
        WHERE merged_into IS NOT NULL AND (available > 0 OR held > 0)
        """),
    Condition(
      finding: "account is merged into one that is merged itself", subject: "account.id",
      from: """
        account WHERE merged_into IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM account AS successor WHERE successor.id = account.merged_into AND successor.merged_into IS NULL)
        """),
    Condition(
      finding: "merged credits do not go on in the other account", subject: "seq",
      from: """
        transfer JOIN credit_grant AS original ON original.id = transfer.grant_id
        WHERE transfer.kind = 'merge' AND NOT EXISTS (
          SELECT 1 FROM credit_grant
          WHERE credit_grant.source_key = '\(CreditGrantTable.mergedPrefix)' || original.id
            AND credit_grant.amount = transfer.amount AND credit_grant.kind = original.kind
            AND credit_grant.expires IS NOT DISTINCT FROM original.expires
            AND \(AccountTable.present("credit_grant.account")) = \(AccountTable.present("original.account")))
        """),
    Condition(
      finding: "credits forfeited that are not given once to each person", subject: "seq",
      from: """
        transfer JOIN credit_grant ON credit_grant.id = grant_id
        WHERE transfer.kind = 'forfeit' AND credit_grant.kind NOT IN ('guest', 'free')
        """),
    Condition(
      finding: "credits of another account that it still has", subject: "credit_grant.id",
      from: """
        credit_grant WHERE \(CreditGrantTable.isMerged) AND NOT EXISTS (
          SELECT 1 FROM transfer WHERE transfer.kind = 'merge' AND transfer.grant_id = \(replacedByGrant)
            AND transfer.amount = credit_grant.amount)
        """),
  ]

  private static let shortfall = CreditGrantTable.shortfall(of: "account.id")

  private static let debts = [
    // What an account owes is never stored. Here it is what its refunded grants gave and their refunds did not find, which
    // must be what left them for something else.
    Condition(
      finding: "account owes other than what its refunds did not find", subject: "account.id",
      from: """
        account WHERE merged_into IS NULL AND (\(shortfall) < 0 OR \(shortfall) IS DISTINCT FROM (
          coalesce((
            SELECT sum(credit_grant.amount - grant_balance.available - grant_balance.held - coalesce((
                SELECT sum(transfer.amount) FROM transfer WHERE transfer.grant_id = credit_grant.id
                  AND (transfer.kind IN ('expire', 'merge')
                    OR transfer.kind = 'revoke' AND NOT (\(CreditGrantTable.isPayment)))), 0))
            FROM credit_grant JOIN grant_refund ON grant_refund.grant_id = credit_grant.id
            JOIN grant_balance ON grant_balance.grant_id = credit_grant.id
            WHERE credit_grant.account IN \(AccountTable.family(of: "account.id"))), 0)
          + \(CreditGrantTable.debts(of: "account.id"))
          - coalesce((
            SELECT sum(amount) FROM shortfall_payment
            WHERE shortfall_payment.account IN \(AccountTable.family(of: "account.id"))), 0)))
        """),
    Condition(
      finding: "debt that no revocation left", subject: "credit_grant.id",
      from: """
        credit_grant WHERE \(CreditGrantTable.isDebt) AND (
          kind <> 'operator'
          OR NOT EXISTS (
            SELECT 1 FROM revocation_effect JOIN transfer ON seq BETWEEN first_transfer AND last_transfer
            WHERE revocation_effect.source = substr(source_key, 6) AND transfer.grant_id = credit_grant.id)
          OR amount IS DISTINCT FROM (
            SELECT sum(transfer.amount) FROM transfer WHERE grant_id = credit_grant.id AND kind = 'revoke'))
        """),
  ]
}
