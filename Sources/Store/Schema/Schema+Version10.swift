extension Schema {
  /// The changes of accounts that were made with a key.
  static let version10 = """
    -- Each change happens once. Not part of the ledger: what a change granted is there.
    CREATE TABLE account_change (
      source TEXT NOT NULL PRIMARY KEY CHECK (source <> ''),
      -- SHA-256 over the account and what was changed.
      digest TEXT NOT NULL CHECK (length(digest) = 64),
      created INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
}
