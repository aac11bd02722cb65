extension Schema {
  /// What was sent to a provider, and how often a model has refused.
  static let version11 = """
    -- Whether anything may have been sent for it: noted before the first byte. Only for what another process could do.
    ALTER TABLE generation ADD COLUMN is_sent INTEGER NOT NULL DEFAULT 0 CHECK (is_sent IN (0, 1));
    -- How many processes died while they worked on it.
    ALTER TABLE generation ADD COLUMN lost_owners INTEGER NOT NULL DEFAULT 0 CHECK (lost_owners >= 0);

    -- Earlier versions did not note it.
    UPDATE generation SET is_sent = 1 WHERE state = 'running';

    -- How often in a row, without a success. A row stays for some time after the pause, to count the next refusal.
    ALTER TABLE provider_cooldown ADD COLUMN refusals INTEGER NOT NULL DEFAULT 1 CHECK (refusals > 0);
    -- The generation of the queue that tried the model last after a pause.
    ALTER TABLE provider_cooldown ADD COLUMN trial TEXT;
    """
}
