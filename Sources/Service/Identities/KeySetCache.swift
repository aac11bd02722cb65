import AtelierProtocol

/// Remembers the key sets that were fetched, for all processes of a data directory.
public protocol KeySetCache: Sendable {
  /// The document that was last kept of `url`, and when it was fetched; nil if none was.
  func keySet(of url: String) async throws -> (document: String, fetched: Timestamp)?

  /// Keeps `document` in place of the one before.
  func keep(_ document: String, of url: String, fetched: Timestamp) async throws
}
