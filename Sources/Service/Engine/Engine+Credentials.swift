import AtelierProtocol
import Credentials

extension Engine {
  /// Stores a provider's API key.
  /// - Throws: `AtelierError`: `permission_denied` for a connection confined to an account, or why the key is not
  ///   stored.
  public func setCredential(_ request: CredentialsSet, for caller: Caller) async throws -> CredentialsSet.Result {
    try caller.mayManageCredentials()
    return try await changingKey(of: request.provider) {
      try await credentials.set(request.key, for: request.provider)
    }
  }

  /// Deletes a provider's API key.
  /// - Throws: `AtelierError`: `permission_denied`, or why the key is not deleted.
  public func deleteCredential(
    _ request: CredentialsDelete, for caller: Caller
  ) async throws -> CredentialsDelete.Result {
    try caller.mayManageCredentials()
    return try await changingKey(of: request.provider) { try await credentials.delete(request.provider) }
  }

  /// The providers with the presence and source of their API keys.
  /// - Throws: `permission_denied`.
  public func credentialStatus(for caller: Caller) async throws -> CredentialsStatus.Result {
    try caller.mayManageCredentials()
    return await credentials.status(for: .caller)
  }

  /// Makes a change and announces it if it makes a provider available or unavailable.
  private func changingKey<Answer: Sendable>(
    of id: ProviderID, _ change: () async throws -> Answer
  ) async throws -> Answer {
    // A change can only be announced against an earlier status.
    if let provider = try? providers.provider(id) { _ = await monitor.status(of: provider) }
    let answer: Result<Answer, any Error>
    do { answer = .success(try await change()) } catch { answer = .failure(error) }
    // A failed change may be half done.
    await monitor.keyChanged(of: id)
    do { return try answer.get() } catch let failure as CredentialFailure { throw failure.atelierError }
  }
}

extension Caller {
  /// Keys belong to the whole service, so a confined host may not manage them.
  /// - Throws: `permission_denied`.
  func mayManageCredentials() throws(AtelierError) {
    guard !isConfined else {
      throw AtelierError(
        .permissionDenied,
        hint: "API keys belong to the whole service: a confined connection may not use them.")
    }
  }
}
