extension Schema {
  /// Accounts, and the ledger of their credits. What has been written of credits never changes: the triggers see to it,
  /// and each row's hash, which for a transfer holds the one before, lets the audit find what gets past them.
  static let version3 = """
    CREATE TABLE account (
      id TEXT NOT NULL PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 128 AND id <> 'owner'),
      tier TEXT NOT NULL CHECK (tier IN ('guest', 'free')),
      is_unlimited INTEGER NOT NULL CHECK (is_unlimited IN (0, 1)),
      created INTEGER NOT NULL,
      hash TEXT NOT NULL CHECK (length(hash) = 64)
    ) STRICT, WITHOUT ROWID;

    CREATE TRIGGER account_keeps_identity BEFORE UPDATE ON account
    WHEN NEW.id IS NOT OLD.id OR NEW.created IS NOT OLD.created
    BEGIN SELECT RAISE(ABORT, 'an account keeps what identifies it'); END;

    CREATE TABLE account_identity (
      -- SHA-256 over the provider's name and its name for the person.
      identity TEXT NOT NULL PRIMARY KEY CHECK (length(identity) = 64),
      provider TEXT NOT NULL CHECK (provider <> ''),
      account TEXT NOT NULL REFERENCES account (id),
      created INTEGER NOT NULL,
      hash TEXT NOT NULL CHECK (length(hash) = 64)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX account_identity_by_account ON account_identity (account);

    -- What gives credits month after month. `starts` is the anchor of its months.
    CREATE TABLE subscription (
      source TEXT NOT NULL PRIMARY KEY CHECK (source <> ''),
      account TEXT NOT NULL REFERENCES account (id),
      product TEXT NOT NULL,
      credits INTEGER NOT NULL CHECK (credits > 0),
      starts INTEGER NOT NULL,
      -- Null for one that an operator gave, until it is taken away.
      ends INTEGER,
      created INTEGER NOT NULL,
      hash TEXT NOT NULL CHECK (length(hash) = 64),
      CHECK (ends IS NULL OR ends >= starts)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX subscription_by_account ON subscription (account, starts);

    CREATE TRIGGER subscription_only_ends BEFORE UPDATE ON subscription
    WHEN NEW.source IS NOT OLD.source OR NEW.account IS NOT OLD.account OR NEW.product IS NOT OLD.product
      OR NEW.credits IS NOT OLD.credits OR NEW.starts IS NOT OLD.starts OR NEW.created IS NOT OLD.created
      OR NEW.ends IS NULL OR NEW.ends > OLD.ends
    BEGIN SELECT RAISE(ABORT, 'a subscription changes only by ending earlier'); END;

    CREATE TABLE credit_grant (
      id TEXT NOT NULL PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 128),
      account TEXT NOT NULL REFERENCES account (id),
      kind TEXT NOT NULL CHECK (kind IN ('guest', 'free', 'period', 'bundle', 'makegood', 'operator')),
      -- What it is given for; nothing is given for the same thing twice.
      source_key TEXT NOT NULL UNIQUE CHECK (source_key <> ''),
      amount INTEGER NOT NULL CHECK (amount > 0),
      -- The lowest is spent first.
      priority INTEGER NOT NULL,
      effective INTEGER NOT NULL,
      expires INTEGER CHECK (expires > effective),
      reason TEXT,
      created INTEGER NOT NULL,
      hash TEXT NOT NULL CHECK (length(hash) = 64)
    ) STRICT;

    CREATE INDEX credit_grant_by_account ON credit_grant (account, priority, expires, created, id);

    CREATE TABLE hold (
      id TEXT NOT NULL PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 128),
      account TEXT NOT NULL REFERENCES account (id),
      generation_id TEXT NOT NULL UNIQUE,
      amount INTEGER NOT NULL CHECK (amount > 0),
      created INTEGER NOT NULL,
      hash TEXT NOT NULL CHECK (length(hash) = 64)
    ) STRICT;

    CREATE TABLE hold_end (
      hold_id TEXT NOT NULL PRIMARY KEY REFERENCES hold (id),
      outcome TEXT NOT NULL CHECK (outcome IN ('captured', 'partial', 'released')),
      captured INTEGER NOT NULL CHECK (captured >= 0),
      reason TEXT NOT NULL,
      created INTEGER NOT NULL,
      hash TEXT NOT NULL CHECK (length(hash) = 64),
      CHECK ((outcome = 'released') = (captured = 0))
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE transfer (
      seq INTEGER NOT NULL PRIMARY KEY CHECK (seq > 0),
      kind TEXT NOT NULL,
      account TEXT NOT NULL REFERENCES account (id),
      grant_id TEXT NOT NULL REFERENCES credit_grant (id),
      hold_id TEXT REFERENCES hold (id),
      source TEXT NOT NULL,
      destination TEXT NOT NULL,
      amount INTEGER NOT NULL CHECK (amount > 0),
      -- What the account could spend after it.
      available_after INTEGER NOT NULL CHECK (available_after >= 0),
      -- Of an operator who took credits back.
      reason TEXT,
      created INTEGER NOT NULL,
      previous_hash TEXT NOT NULL,
      hash TEXT NOT NULL CHECK (length(hash) = 64),
      CHECK (kind || ' ' || source || ' ' || destination IN (
        'grant issued available', 'hold available held', 'capture held spent', 'release held available',
        'expire available expired', 'revoke available revoked')),
      CHECK (kind NOT IN ('hold', 'capture', 'release') OR hold_id IS NOT NULL)
    ) STRICT;

    CREATE INDEX transfer_by_account ON transfer (account, seq);
    CREATE INDEX transfer_by_grant ON transfer (grant_id, kind, amount);
    CREATE INDEX transfer_by_hold ON transfer (hold_id, seq) WHERE hold_id IS NOT NULL;

    -- Sums over the transfers, changed by the triggers below and nothing else.
    CREATE TABLE account_balance (
      account TEXT NOT NULL PRIMARY KEY REFERENCES account (id),
      available INTEGER NOT NULL CHECK (available >= 0),
      held INTEGER NOT NULL CHECK (held >= 0)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE grant_balance (
      grant_id TEXT NOT NULL PRIMARY KEY REFERENCES credit_grant (id),
      available INTEGER NOT NULL CHECK (available >= 0),
      held INTEGER NOT NULL CHECK (held >= 0)
    ) STRICT, WITHOUT ROWID;

    CREATE TRIGGER account_has_balance AFTER INSERT ON account
    BEGIN INSERT INTO account_balance (account, available, held) VALUES (NEW.id, 0, 0); END;

    CREATE TRIGGER grant_has_balance AFTER INSERT ON credit_grant
    BEGIN INSERT INTO grant_balance (grant_id, available, held) VALUES (NEW.id, 0, 0); END;

    CREATE TRIGGER transfer_moves_credits AFTER INSERT ON transfer
    BEGIN
      UPDATE account_balance SET
        available = available + (NEW.destination = 'available') * NEW.amount - (NEW.source = 'available') * NEW.amount,
        held = held + (NEW.destination = 'held') * NEW.amount - (NEW.source = 'held') * NEW.amount
      WHERE account = NEW.account;
      UPDATE grant_balance SET
        available = available + (NEW.destination = 'available') * NEW.amount - (NEW.source = 'available') * NEW.amount,
        held = held + (NEW.destination = 'held') * NEW.amount - (NEW.source = 'held') * NEW.amount
      WHERE grant_id = NEW.grant_id;
      SELECT RAISE(ABORT, 'a transfer tells another balance than there is')
      WHERE NEW.available_after IS NOT (SELECT available FROM account_balance WHERE account = NEW.account)
        OR NEW.account IS NOT (SELECT account FROM credit_grant WHERE id = NEW.grant_id);
    END;

    CREATE TRIGGER hold_ends_whole BEFORE INSERT ON hold_end
    BEGIN
      SELECT RAISE(ABORT, 'a hold ends with all of it captured or released')
      WHERE (SELECT amount FROM hold WHERE id = NEW.hold_id) IS NOT
          (SELECT sum(amount) FROM transfer WHERE hold_id = NEW.hold_id AND kind IN ('capture', 'release'))
        OR NEW.captured IS NOT
          (SELECT total(amount) FROM transfer WHERE hold_id = NEW.hold_id AND kind = 'capture');
    END;

    CREATE TRIGGER ended_hold_stays BEFORE INSERT ON transfer
    WHEN NEW.kind IN ('hold', 'capture', 'release') AND EXISTS (SELECT 1 FROM hold_end WHERE hold_id = NEW.hold_id)
    BEGIN SELECT RAISE(ABORT, 'a hold that has ended moves no more credits'); END;

    -- Purchases that a store has signed, each counted once for whoever came first.
    CREATE TABLE receipt (
      source TEXT NOT NULL PRIMARY KEY CHECK (source <> ''),
      account TEXT NOT NULL REFERENCES account (id),
      product TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('subscription', 'bundle')),
      quantity INTEGER NOT NULL CHECK (quantity > 0),
      purchased INTEGER NOT NULL,
      created INTEGER NOT NULL,
      hash TEXT NOT NULL CHECK (length(hash) = 64)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE receipt_refund (
      source TEXT NOT NULL PRIMARY KEY REFERENCES receipt (source),
      refunded INTEGER NOT NULL,
      created INTEGER NOT NULL,
      hash TEXT NOT NULL CHECK (length(hash) = 64)
    ) STRICT, WITHOUT ROWID;

    -- Grants whose purchase was taken back: what of them was spent is owed.
    CREATE TABLE grant_refund (
      grant_id TEXT NOT NULL PRIMARY KEY REFERENCES credit_grant (id),
      created INTEGER NOT NULL,
      hash TEXT NOT NULL CHECK (length(hash) = 64)
    ) STRICT, WITHOUT ROWID;

    -- What was owed and paid with a later grant.
    CREATE TABLE shortfall_payment (
      transfer_seq INTEGER NOT NULL PRIMARY KEY REFERENCES transfer (seq),
      account TEXT NOT NULL REFERENCES account (id),
      amount INTEGER NOT NULL CHECK (amount > 0),
      hash TEXT NOT NULL CHECK (length(hash) = 64)
    ) STRICT;

    CREATE INDEX shortfall_payment_by_account ON shortfall_payment (account);

    -- When the system's clock was found far behind the ledger's.
    CREATE TABLE clock_jump (
      seen INTEGER NOT NULL,
      system INTEGER NOT NULL,
      PRIMARY KEY (seen, system)
    ) STRICT, WITHOUT ROWID;

    -- When something was accepted, for the limits on how often. Not part of the ledger: old ones are removed.
    CREATE TABLE limit_event (
      account TEXT NOT NULL,
      created INTEGER NOT NULL,
      generation_id TEXT NOT NULL,
      recipe TEXT NOT NULL,
      PRIMARY KEY (account, created, generation_id)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX generation_open_by_account ON generation (account) WHERE state IN ('queued', 'running');
    \(writtenOnce.map(unchanging).joined(separator: "\n"))
    \((writtenOnce + ["account", "subscription"]).map(keeping).joined(separator: "\n"))
    """

  private static let writtenOnce = [
    "account_identity", "credit_grant", "hold", "hold_end", "transfer", "receipt", "receipt_refund", "grant_refund",
    "shortfall_payment", "clock_jump",
  ]

  private static func unchanging(_ table: String) -> String {
    """
    CREATE TRIGGER \(table)_stays BEFORE UPDATE ON \(table)
    BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;
    """
  }

  private static func keeping(_ table: String) -> String {
    """
    CREATE TRIGGER \(table)_is_kept BEFORE DELETE ON \(table)
    BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;
    """
  }
}
