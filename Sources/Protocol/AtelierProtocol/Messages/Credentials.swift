/// Stores a provider's API key in the desktop's keyring or, without a keyring, in a file that only its owner can read.
///
/// The key replaces the one stored before. It is never returned, logged or written to the database. A connection that
/// is confined to an account is refused.
public struct CredentialsSet: RequestMessage {
  public static let method = "credentials/set"

  public static let errors: [ErrorKind] = [
    .invalidApiKey, .permissionDenied, .fileAccessDenied, .unsupportedByProvider, .storageFull,
  ]

  /// The provider that the key is for.
  public var provider: ProviderID
  /// The key, as the provider issued it.
  public var key: SecretText

  public init(provider: ProviderID, key: SecretText) {
    self.provider = provider
    self.key = key
  }

  /// Where the key is stored.
  public struct Result: Codable, Sendable, Equatable {
    /// The provider that the key is for.
    public var provider: ProviderID
    /// Where the key was stored.
    public var source: CredentialSource
    /// The last characters of the key, to recognise it by.
    public var masked: String
    /// The environment variable whose key is used instead of this one, for as long as it is set.
    public var environmentVariable: String?
    /// A remark to show to the person, for example about the keyring.
    public var note: String?

    public init(
      provider: ProviderID, source: CredentialSource, masked: String, environmentVariable: String? = nil,
      note: String? = nil
    ) {
      self.provider = provider
      self.source = source
      self.masked = masked
      self.environmentVariable = environmentVariable
      self.note = note
    }
  }
}

/// Reports which providers have an API key, and where each key comes from.
///
/// The keys themselves are not returned. A connection that is confined to an account is refused.
public struct CredentialsStatus: RequestMessage, Parameterless {
  public static let method = "credentials/status"
  public static let errors: [ErrorKind] = [.permissionDenied]

  public init() {}

  /// The keys of the providers.
  public struct Result: Codable, Sendable, Equatable {
    /// Every provider that takes a key, whether it has one or not.
    public var providers: [Entry]

    public init(providers: [Entry]) {
      self.providers = providers
    }
  }

  /// One provider and its key.
  public struct Entry: Codable, Sendable, Equatable {
    /// The provider.
    public var provider: ProviderID
    /// True when the provider has a key that can be used.
    public var configured: Bool
    /// Where the key comes from.
    public var source: CredentialSource?
    /// The last characters of the key, to recognise it by.
    public var masked: String?
    /// The variable that the key comes from, if `source` is `environment`.
    public var environmentVariable: String?
    /// The variables that can provide a key; the first one that holds a key is used.
    public var environmentVariables: [String]
    /// Why a key that was given cannot be used and what to do about it, as a sentence for the person.
    public var reason: String?
    /// A remark to show to the person, for example about a variable that is passed over because it holds a placeholder.
    public var note: String?

    public init(
      provider: ProviderID, configured: Bool, source: CredentialSource? = nil, masked: String? = nil,
      environmentVariable: String? = nil, environmentVariables: [String], reason: String? = nil, note: String? = nil
    ) {
      self.provider = provider
      self.configured = configured
      self.source = source
      self.masked = masked
      self.environmentVariable = environmentVariable
      self.environmentVariables = environmentVariables
      self.reason = reason
      self.note = note
    }
  }
}

/// Deletes a provider's API key from the keyring and from the file.
///
/// Idempotent. A key in an environment variable cannot be deleted; the answer names the variable. A connection that is
/// confined to an account is refused.
public struct CredentialsDelete: RequestMessage {
  public static let method = "credentials/delete"

  public static let errors: [ErrorKind] = [
    .permissionDenied, .fileAccessDenied, .unsupportedByProvider, .providerUnavailable, .storageFull,
  ]

  /// The provider whose key is to be deleted.
  public var provider: ProviderID

  public init(provider: ProviderID) {
    self.provider = provider
  }

  /// What was deleted.
  public struct Result: Codable, Sendable, Equatable {
    /// The provider named in the request.
    public var provider: ProviderID
    /// True when there was a key to delete.
    public var deleted: Bool
    /// The environment variable that still provides a key, if there is one.
    public var environmentVariable: String?
    /// A remark to show to the person, for example about the keyring.
    public var note: String?

    public init(
      provider: ProviderID, deleted: Bool, environmentVariable: String? = nil, note: String? = nil
    ) {
      self.provider = provider
      self.deleted = deleted
      self.environmentVariable = environmentVariable
      self.note = note
    }
  }
}

/// Where an API key comes from, in order of precedence.
public enum CredentialSource: String, Codable, Sendable, CaseIterable {
  /// An environment variable of the service.
  case environment
  /// The desktop's keyring.
  case secretService = "secret_service"
  /// A file in the data directory that only its owner can read.
  case file
}
