/// Accounts, and the ledger of their credits. What has been written of credits never changes: triggers see to it, and
/// each row's hash, which for a transfer holds the one before, lets the audit find what gets past them.
extension Schema {
  static let accounts = """
    CREATE TABLE account (
      id TEXT NOT NULL PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 128 AND id <> 'owner'),
      tier TEXT NOT NULL CHECK (tier IN ('guest', 'free')),
      is_unlimited INTEGER NOT NULL CHECK (is_unlimited IN (0, 1)),
      created INTEGER NOT NULL,
      -- The account that has taken over its history and its credits.
      merged_into TEXT REFERENCES account (id) ON UPDATE CASCADE CHECK (merged_into <> id),
      -- When it was deleted. Whoever has its name afterwards is another account.
      ended INTEGER,
      hash TEXT NOT NULL CHECK (length(hash) = 64),
      CHECK ((ended IS NOT NULL) = (\(DeletedAccount.isDeleted("id"))))
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX account_by_merge ON account (merged_into) WHERE merged_into IS NOT NULL;

    CREATE TABLE account_identity (
      -- SHA-256 over the provider's name and its name for the person.
      identity TEXT NOT NULL PRIMARY KEY CHECK (length(identity) = 64),
      provider TEXT NOT NULL CHECK (provider <> ''),
      account TEXT NOT NULL REFERENCES account (id) ON UPDATE CASCADE,
      created INTEGER NOT NULL,
      hash TEXT NOT NULL CHECK (length(hash) = 64)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX account_identity_by_account ON account_identity (account);

    -- The versions of the terms of use that the person has accepted. Not part of the ledger: deleted with the account.
    CREATE TABLE account_consent (
      account TEXT NOT NULL REFERENCES account (id) ON UPDATE CASCADE,
      version TEXT NOT NULL CHECK (version <> ''),
      accepted INTEGER NOT NULL,
      created INTEGER NOT NULL,
      PRIMARY KEY (account, version)
    ) STRICT, WITHOUT ROWID;

    -- The keys with which identity providers sign, by where they were fetched from.
    CREATE TABLE key_set (
      url TEXT NOT NULL PRIMARY KEY CHECK (url <> ''),
      document TEXT NOT NULL,
      fetched INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- Each change happens once. Not part of the ledger: what a change granted is there.
    CREATE TABLE account_change (
      source TEXT NOT NULL PRIMARY KEY CHECK (source <> ''),
      -- SHA-256 over the account and what was changed.
      digest TEXT NOT NULL CHECK (length(digest) = 64),
      created INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- When something was accepted, for the limits on how often. Not part of the ledger: old ones are removed.
    CREATE TABLE limit_event (
      account TEXT NOT NULL,
      created INTEGER NOT NULL,
      generation_id TEXT NOT NULL,
      recipe TEXT NOT NULL,
      PRIMARY KEY (account, created, generation_id)
    ) STRICT, WITHOUT ROWID;
    """

  static let ledger = """
    CREATE TABLE credit_grant (
      id TEXT NOT NULL PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 128),
      account TEXT NOT NULL REFERENCES account (id) ON UPDATE CASCADE,
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
      account TEXT NOT NULL REFERENCES account (id) ON UPDATE CASCADE,
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
      account TEXT NOT NULL REFERENCES account (id) ON UPDATE CASCADE,
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
        'expire available expired', 'revoke available revoked', 'merge available merged',
        'forfeit available forfeited')),
      CHECK (kind NOT IN ('hold', 'capture', 'release') OR hold_id IS NOT NULL)
    ) STRICT;

    CREATE INDEX transfer_by_account ON transfer (account, seq);
    CREATE INDEX transfer_by_grant ON transfer (grant_id, kind, amount);
    CREATE INDEX transfer_by_hold ON transfer (hold_id, seq) WHERE hold_id IS NOT NULL;

    -- Sums over the transfers, changed by triggers and nothing else.
    CREATE TABLE account_balance (
      account TEXT NOT NULL PRIMARY KEY REFERENCES account (id) ON UPDATE CASCADE,
      available INTEGER NOT NULL CHECK (available >= 0),
      held INTEGER NOT NULL CHECK (held >= 0)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE grant_balance (
      grant_id TEXT NOT NULL PRIMARY KEY REFERENCES credit_grant (id),
      available INTEGER NOT NULL CHECK (available >= 0),
      held INTEGER NOT NULL CHECK (held >= 0)
    ) STRICT, WITHOUT ROWID;
    """

  /// What credits were bought, given month after month, and taken back.
  static let purchases = """
    -- What gives credits month after month. `starts` is the anchor of its months.
    CREATE TABLE subscription (
      source TEXT NOT NULL PRIMARY KEY CHECK (source <> ''),
      account TEXT NOT NULL REFERENCES account (id) ON UPDATE CASCADE,
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

    -- Purchases that a shop has signed, each counted once for whoever came first.
    CREATE TABLE receipt (
      source TEXT NOT NULL PRIMARY KEY CHECK (source <> ''),
      -- Null for a purchase that was first heard of by its refund: it is nobody's, and makes no account exist.
      account TEXT REFERENCES account (id) ON UPDATE CASCADE,
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
      account TEXT NOT NULL REFERENCES account (id) ON UPDATE CASCADE,
      amount INTEGER NOT NULL CHECK (amount > 0),
      hash TEXT NOT NULL CHECK (length(hash) = 64)
    ) STRICT;

    CREATE INDEX shortfall_payment_by_account ON shortfall_payment (account);

    -- What an operator wants taken back; its source makes it happen once. It refers to credits by the payment that it is a
    -- refund of, or by its transfers, and never to whoever has the name of the account later.
    CREATE TABLE revocation (
      source TEXT NOT NULL PRIMARY KEY CHECK (source <> ''),
      -- SHA-256 of the name that the operator gave, by which the same revocation is known again.
      account_digest TEXT NOT NULL CHECK (length(account_digest) = 64),
      amount INTEGER NOT NULL CHECK (amount > 0),
      reason TEXT NOT NULL,
      -- Whether it is of a payment.
      is_refund INTEGER NOT NULL CHECK (is_refund IN (0, 1)),
      created INTEGER NOT NULL,
      hash TEXT NOT NULL CHECK (length(hash) = 64)
    ) STRICT, WITHOUT ROWID;

    -- Which revocations are refunds, and of what: the source of a grant that is there or is still to come.
    CREATE TABLE revocation_payment (
      source TEXT NOT NULL PRIMARY KEY REFERENCES revocation (source),
      payment TEXT NOT NULL CHECK (payment <> ''),
      hash TEXT NOT NULL CHECK (length(hash) = 64)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX revocation_payment_by_payment ON revocation_payment (payment);

    -- What a revocation took back or left owed, in one run of transfers. There is none while it waits for its payment.
    CREATE TABLE revocation_effect (
      source TEXT NOT NULL PRIMARY KEY REFERENCES revocation (source),
      revoked INTEGER NOT NULL CHECK (revoked >= 0),
      first_transfer INTEGER,
      last_transfer INTEGER CHECK (last_transfer >= first_transfer),
      created INTEGER NOT NULL,
      hash TEXT NOT NULL CHECK (length(hash) = 64),
      CHECK ((revoked = 0) = (first_transfer IS NULL) AND (first_transfer IS NULL) = (last_transfer IS NULL))
    ) STRICT, WITHOUT ROWID;

    CREATE UNIQUE INDEX revocation_effect_by_transfer ON revocation_effect (first_transfer, last_transfer);
    """
}
