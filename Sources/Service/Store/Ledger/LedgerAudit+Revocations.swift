/// What operators took back, or want taken back once a payment comes.
extension LedgerAudit {
  static let revocations = [
    Condition(
      finding: "revocation is not what its transfers took back", subject: "source",
      from: """
        revocation_effect WHERE revoked IS DISTINCT FROM (
          SELECT coalesce(sum(transfer.amount), 0) FROM transfer WHERE seq BETWEEN first_transfer AND last_transfer
            AND kind = 'revoke' AND reason IS NOT NULL)
        """),
    Condition(
      finding: "effect of a revocation that is not there", subject: "source",
      from: "revocation_effect WHERE NOT EXISTS (SELECT 1 FROM revocation WHERE source = revocation_effect.source)"),
    Condition(
      finding: "refund by a revocation that is not there", subject: "source",
      from: "revocation_payment WHERE NOT EXISTS (SELECT 1 FROM revocation WHERE source = revocation_payment.source)"),
    Condition(
      finding: "refund without its payment", subject: "source",
      from: """
        revocation WHERE is_refund <> (
          SELECT count(*) FROM revocation_payment WHERE revocation_payment.source = revocation.source)
        """),
    Condition(
      finding: "revocation that took nothing back", subject: "revocation.source",
      from: """
        revocation LEFT JOIN revocation_payment ON revocation_payment.source = revocation.source
        WHERE NOT EXISTS (SELECT 1 FROM revocation_effect WHERE source = revocation.source)
          AND (payment IS NULL OR EXISTS (SELECT 1 FROM credit_grant WHERE source_key = payment))
        """),
    Condition(
      finding: "revocation took other than it should", subject: "revocation.source",
      from: """
        revocation JOIN revocation_effect ON revocation_effect.source = revocation.source
        LEFT JOIN revocation_payment ON revocation_payment.source = revocation.source
        LEFT JOIN credit_grant ON source_key = payment
        WHERE revoked > revocation.amount
          -- Fewer than were asked for are taken from a payment of which no more is left, or whose account was deleted.
          OR revoked < revocation.amount AND (payment IS NULL OR NOT \(DeletedAccount.isDeleted("account"))
            AND \(RevocationTable.refunded(of: "credit_grant.source_key")) < credit_grant.amount)
        """),
    Condition(
      finding: "refunds took more than their payment brought", subject: "credit_grant.id",
      from: """
        credit_grant JOIN transfer ON grant_id = credit_grant.id AND transfer.kind = 'grant'
        WHERE credit_grant.amount < (
          -- A debt from before the payment is paid by it, and may have been larger.
          SELECT sum(revoked) FROM revocation_payment
          JOIN revocation_effect ON revocation_effect.source = revocation_payment.source
          WHERE payment = source_key AND first_transfer > seq)
        """),
    Condition(
      finding: "credits taken back by a revocation that is not there", subject: "seq",
      from: """
        transfer WHERE kind = 'revoke' AND reason IS NOT NULL AND coalesce((
          SELECT last_transfer FROM revocation_effect
          WHERE first_transfer <= seq ORDER BY first_transfer DESC LIMIT 1), 0) < seq
        """),
  ]
}
