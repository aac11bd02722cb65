import AtelierProtocol
import Credentials

extension Engine {
  /// Keeps a provider's API key.
  /// - Throws: `AtelierError`: `permission_denied` for a connection confined to an account, or why it is not kept.
  public func setCredential(_ request: CredentialsSet, for caller: Caller) async throws -> CredentialsSet.Result {
    try caller.mayManageCredentials()
    return try await changingKey(of: request.provider) {
      try await credentials.set(request.key, for: request.provider)
    }
  }

  /// Forgets a provider's API key.
  /// - Throws: `AtelierError`: `permission_denied`, or why it is not gone.
  public func deleteCredential(
    _ request: CredentialsDelete, for caller: Caller
  ) async throws -> CredentialsDelete.Result {
    try caller.mayManageCredentials()
    return try await changingKey(of: request.provider) { try await credentials.delete(request.provider) }
  }

  /// Which providers have their API key, and from where.
  /// - Throws: `permission_denied`.
  public func credentialStatus(for caller: Caller) async throws -> CredentialsStatus.Result {
    try caller.mayManageCredentials()
    return await credentials.status(for: .caller)
  }

  /// Makes a change and has it announced when it makes a provider available, or ceases to.
  private func changingKey<Answer: Sendable>(
    of id: ProviderID, _ change: () async throws -> Answer
  ) async throws -> Answer {
    // There is no change to announce without a before.
    if let provider = try? providers.provider(id) { _ = await monitor.status(of: provider) }
    let answer: Result<Answer, any Error>
    do { answer = .success(try await change()) } catch { answer = .failure(error) }
    // A change that failed may have been made by half.
    await monitor.keyChanged(of: id)
    do { return try answer.get() } catch let failure as CredentialFailure { throw failure.atelierError }
  }
}

extension Caller {
  /// Keys are the whole service's, so only a host that acts for everybody may see to them.
  /// - Throws: `permission_denied` for a connection confined to an account.
  func mayManageCredentials() throws(AtelierError) {
    guard confinedTo == nil else {
      throw AtelierError(
        .permissionDenied,
        "API keys belong to the whole service: a connection that named an account in initialize may not use them.")
    }
  }
}
