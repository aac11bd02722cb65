/// Who somebody is, as the host has made sure of; the service believes the host.
public struct Identity: Codable, Sendable, Equatable {
  /// Whoever vouches for the person, such as `apple`, `google` or `email`.
  @LimitedText<IdentityProviderName> public var provider: String
  /// What the provider knows the person by; the same person, the same text.
  @LimitedText<IdentitySubject> public var subject: String

  public init(provider: String, subject: String) {
    self.provider = provider
    self.subject = subject
  }
}

extension Identity: SchemaDescribed {
  public static let summary = "Who somebody is, as the host has made sure of; the service believes the host."

  public static let members = [
    "provider": "Whoever vouches for the person, such as `apple`, `google` or `email`.",
    "subject": "What the provider knows the person by; the same person, the same text.",
  ]
}
