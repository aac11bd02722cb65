import AtelierProtocol
import Identities

/// The database remembers the keys of identity providers.
extension LazyStore: KeySetCache {
  public func keySet(of url: String) async throws -> (document: String, fetched: Timestamp)? {
    try await store().keySet(of: url)
  }

  public func keep(_ document: String, of url: String, fetched: Timestamp) async throws {
    try await store().keep(keySet: document, of: url, fetched: fetched)
  }
}
