import AtelierProtocol

/// The SQL of the table `key_set`: the keys of identity providers, as they were fetched last.
struct KeySetTable {
  let session: any SQLSession

  func entry(of url: String) throws -> (document: String, fetched: Timestamp)? {
    try session.row("SELECT document, fetched FROM key_set WHERE url = ?", [url]).map { row in
      (document: try row.value("document"), fetched: Timestamp(milliseconds: try row.value("fetched")))
    }
  }

  func put(_ document: String, of url: String, fetched: Timestamp) throws {
    try session.run(
      """
      INSERT INTO key_set (url, document, fetched) VALUES (?, ?, ?)
      ON CONFLICT (url) DO UPDATE SET document = excluded.document, fetched = excluded.fetched
      """,
      [url, document, fetched.milliseconds])
  }
}

extension SQLSession {
  var keySets: KeySetTable { KeySetTable(session: self) }
}
