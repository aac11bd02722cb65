/// The identity of a person. The host has to verify it; the service does not.
public struct Identity: Codable, Sendable, Equatable {
  /// The identity provider, such as `apple`, `google` or `email`.
  @LimitedText<IdentityProviderName> public var provider: String
  /// The identity provider's id of the person, which never changes.
  @LimitedText<IdentitySubject> public var subject: String

  public init(provider: String, subject: String) {
    self.provider = provider
    self.subject = subject
  }
}
