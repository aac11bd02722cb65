import AtelierProtocol

extension Store {
  /// Prepares some of history for quick searches; nothing depends on it but their speed. To be called until it returns
  /// false, now and then or when a page wants it.
  /// - Returns: whether something was done.
  public func indexForSearch() async throws(AtelierError) -> Bool {
    try await write(isDurable: false) { try SearchIndex(database: $0).extend() }
  }
}
