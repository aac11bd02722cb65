extension Store {
  /// The size of the database file, without the write-ahead log.
  func databaseBytes(in session: any SQLSession) throws -> Int {
    let (pages, bytes): (Int?, Int?) = (try session.value("PRAGMA page_count"), try session.value("PRAGMA page_size"))
    return (pages ?? 0) * (bytes ?? 0)
  }
}
