extension Schema {
  /// Pauses belong to a provider and a model; what stood before holds for all models of the provider.
  static let version5Cooldowns = """
    CREATE TABLE model_cooldown (
      provider TEXT NOT NULL CHECK (provider <> ''),
      model TEXT NOT NULL DEFAULT '',
      until INTEGER NOT NULL,
      kind TEXT NOT NULL,
      message TEXT NOT NULL,
      details TEXT NOT NULL,
      set_at INTEGER NOT NULL,
      PRIMARY KEY (provider, model)
    ) STRICT, WITHOUT ROWID;

    INSERT INTO model_cooldown SELECT provider, '', until, kind, message, details, set_at FROM provider_cooldown;

    DROP TABLE provider_cooldown;

    ALTER TABLE model_cooldown RENAME TO provider_cooldown;
    """
}
