import AtelierProtocol

/// Where a provider gets its key from, each time it needs it.
public protocol APIKeySource: Sendable {
  /// - Returns: nil when there is none.
  /// - Throws: `AtelierError` when there is one that cannot be read.
  func key(for provider: ProviderID) async throws(AtelierError) -> APIKey?
}
