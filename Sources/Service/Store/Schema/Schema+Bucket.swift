extension Schema {
  /// What is known of files in a bucket, where no folder says it.
  static let bucket = """
    -- Pending notes: what a process has put or is about to put, until a row refers to it.
    CREATE TABLE file_note (
      process TEXT NOT NULL CHECK (process <> ''),
      number INTEGER NOT NULL,
      name TEXT NOT NULL CHECK (length(name) >= 66),
      PRIMARY KEY (process, number)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX file_note_by_name ON file_note (name);

    -- Files that are being removed. Until that is over, nobody puts one of the same name.
    CREATE TABLE file_removal (
      name TEXT NOT NULL PRIMARY KEY CHECK (length(name) >= 66),
      -- Who removes it; nobody where that has failed.
      process TEXT NOT NULL CHECK (process <> '')
    ) STRICT, WITHOUT ROWID;
    """
}
