import AtelierProtocol
import JSON
import Store

extension Engine {
  /// Records that a person has accepted a version of the terms of use; durable before it returns.
  /// - Throws: `permission_denied`; `invalid params` for a time in the future; or what the store throws.
  public func recordConsent(_ request: AccountConsent, for caller: Caller) async throws -> AccountConsent.Result {
    let account = try caller.otherAccount(
      naming: request.account, "The account “owner” is the machine's own and needs no consent. Name another account.")
    let now = surroundings.now()
    let acceptedAt = request.acceptedAt ?? now
    guard acceptedAt.milliseconds <= now.milliseconds + Self.clockLeewayMs else {
      throw JSONDecodingFailure.unfit("/acceptedAt", "a time that is not in the future")
    }
    let (consents, isNew) = try await lazyStore.store().record(
      Consent(version: request.version, acceptedAt: acceptedAt), of: account)
    return AccountConsent.Result(account: account, consents: consents, isNew: isNew)
  }

  /// By how much the clocks of a host and of the service may differ, in milliseconds.
  private static let clockLeewayMs: Int64 = 60_000
}

extension EngineParts {
  /// Asked by whatever takes a photo of a person or sends something of theirs to a provider.
  /// - Throws: what ``missingConsent(of:)`` returns.
  func requireConsent(of account: AccountID) async throws {
    if let refusal = try await missingConsent(of: account) { throw refusal }
  }

  /// - Returns: `consent_required` for an account whose person has not accepted the terms that the operator requires.
  func missingConsent(of account: AccountID) async throws -> AtelierError? {
    guard let required = configuration.requiredConsent, account != .owner else { return nil }
    if try await lazyStore.store().hasAccepted(required.version, account) { return nil }
    return AtelierError(.consentRequired, details: required.version.map { ["version": .string($0)] } ?? [:])
  }
}
