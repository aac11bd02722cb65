extension Schema {
  /// The files that are kept, each once whatever refers to it.
  static let files = """
    CREATE TABLE artifact (
      name TEXT NOT NULL PRIMARY KEY CHECK (length(name) >= 66),
      mime_type TEXT NOT NULL,
      bytes INTEGER NOT NULL CHECK (bytes >= 0),
      created INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE artifact_sum (
      id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
      bytes INTEGER NOT NULL
    ) STRICT;

    INSERT INTO artifact_sum (id, bytes) VALUES (1, 0);
    """

  /// What refers to files: what was made, and what it was made from.
  static let inputs = """
    -- What a generation delivered, and what was made of that. A new kind of file is a role.
    CREATE TABLE generation_file (
      generation_id TEXT NOT NULL REFERENCES generation (id) ON DELETE CASCADE,
      role TEXT NOT NULL CHECK (role <> ''),
      -- That of the image which it is or belongs to, from 0.
      position INTEGER NOT NULL CHECK (position >= 0),
      view TEXT,
      sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
      mime_type TEXT NOT NULL,
      bytes INTEGER NOT NULL CHECK (bytes >= 0),
      width INTEGER NOT NULL CHECK (width > 0),
      height INTEGER NOT NULL CHECK (height > 0),
      -- Null where none is kept, because the generation is private.
      artifact TEXT REFERENCES artifact (name),
      output_path TEXT,
      PRIMARY KEY (generation_id, role, position)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX generation_file_by_artifact ON generation_file (artifact) WHERE artifact IS NOT NULL;

    -- Pictures to work from, which a host addresses by their id until they expire.
    CREATE TABLE prepared (
      -- The order in which they were prepared.
      ordinal INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 128),
      account TEXT NOT NULL CHECK (account <> ''),
      -- The generation it was made for, to be refined or made again; none for one a host prepared.
      generation_id TEXT REFERENCES generation (id) ON DELETE SET NULL,
      -- Which reference picture of that it is, from 0; null for the photo.
      reference INTEGER CHECK (reference >= 0),
      -- The generation whose request names it, until that ends: it can be done later or by another process.
      needed_by TEXT REFERENCES generation (id) ON DELETE SET NULL,
      artifact TEXT REFERENCES artifact (name),
      width INTEGER NOT NULL CHECK (width > 0),
      height INTEGER NOT NULL CHECK (height > 0),
      created INTEGER NOT NULL,
      expires INTEGER NOT NULL
    ) STRICT;

    CREATE INDEX prepared_by_generation ON prepared (generation_id) WHERE generation_id IS NOT NULL;
    CREATE INDEX prepared_needed ON prepared (needed_by) WHERE needed_by IS NOT NULL;
    CREATE INDEX prepared_by_expiry ON prepared (expires);
    CREATE INDEX prepared_by_artifact ON prepared (artifact) WHERE artifact IS NOT NULL;

    -- Of those that are still kept.
    CREATE INDEX prepared_kept ON prepared (expires) WHERE artifact IS NOT NULL;
    CREATE INDEX prepared_by_account ON prepared (account) WHERE artifact IS NOT NULL;
    -- Those that a wrong clock let begin in the future are found by it.
    CREATE INDEX prepared_kept_by_creation ON prepared (created) WHERE artifact IS NOT NULL;
    """
}
