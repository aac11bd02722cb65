/// Where an API key comes from, in the order in which the places are asked (REQUIREMENTS 3.5).
public enum CredentialSource: String, Codable, Sendable, CaseIterable {
  /// A variable of the service's environment.
  case environment
  /// The desktop's keyring.
  case secretService = "secret_service"
  /// A file in the data directory that only its owner can read.
  case file
}
