import JSON

/// Keeps a provider's API key, in the desktop's keyring where there is one, else in a file only its owner can
/// read.
///
/// It takes the place of the key kept before. The key is never answered, logged or put into the database. A
/// connection confined to an account may not.
public struct CredentialsSet: RequestMessage {
  public static let method = "credentials/set"

  public static let errors: [ErrorKind] = [
    .invalidApiKey, .permissionDenied, .fileAccessDenied, .unsupportedByProvider, .storageFull,
  ]

  /// The provider the key is for.
  public var provider: ProviderID
  /// The key, as the provider gave it.
  public var key: SecretText

  public init(provider: ProviderID, key: SecretText) {
    self.provider = provider
    self.key = key
  }

  /// Where the key is now.
  public struct Result: Codable, Sendable, Equatable {
    /// The provider the key is for.
    public var provider: ProviderID
    /// Where the key was put.
    public var source: CredentialSource
    /// The end of the key, to recognise it by.
    public var masked: String
    /// The environment variable whose key is used instead, for as long as it is set.
    public var environmentVariable: String?
    /// What a person should know about it.
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

/// Which providers have their API key, and from where.
///
/// Never the keys. A connection confined to an account may not.
public struct CredentialsStatus: RequestMessage, Parameterless {
  public static let method = "credentials/status"
  public static let errors: [ErrorKind] = [.permissionDenied]

  public init() {}

  /// Every provider that takes a key.
  public struct Result: Codable, Sendable, Equatable {
    /// Those that take a key, whether they have one or not.
    public var providers: [Entry]

    public init(providers: [Entry]) {
      self.providers = providers
    }
  }

  /// How one provider stands.
  public struct Entry: Codable, Sendable, Equatable {
    /// The provider.
    public var provider: ProviderID
    /// True when there is a key that can be used.
    public var configured: Bool
    /// Where the key comes from.
    public var source: CredentialSource?
    /// The end of the key, to recognise it by.
    public var masked: String?
    /// The variable the key comes from, where its source is the environment.
    public var environmentVariable: String?
    /// The variables that can provide a key, the first one that is set winning.
    public var environmentVariables: [String]
    /// Why a key that is there cannot be used, as a sentence with what to do about it.
    public var reason: String?

    public init(
      provider: ProviderID, configured: Bool, source: CredentialSource? = nil, masked: String? = nil,
      environmentVariable: String? = nil, environmentVariables: [String], reason: String? = nil
    ) {
      self.provider = provider
      self.configured = configured
      self.source = source
      self.masked = masked
      self.environmentVariable = environmentVariable
      self.environmentVariables = environmentVariables
      self.reason = reason
    }
  }
}

/// Forgets a provider's API key, wherever Atelier kept it.
///
/// Idempotent. A key in the environment is not Atelier's to delete; the answer names its variable. A connection
/// confined to an account may not.
public struct CredentialsDelete: RequestMessage {
  public static let method = "credentials/delete"

  public static let errors: [ErrorKind] = [
    .permissionDenied, .fileAccessDenied, .unsupportedByProvider, .providerUnavailable, .storageFull,
  ]

  /// The provider whose key is to go.
  public var provider: ProviderID

  public init(provider: ProviderID) {
    self.provider = provider
  }

  /// What is gone.
  public struct Result: Codable, Sendable, Equatable {
    /// The provider whose key is gone.
    public var provider: ProviderID
    /// True when there was a key to delete.
    public var deleted: Bool
    /// The environment variable that still provides a key.
    public var environmentVariable: String?
    /// What a person should know about it.
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

/// Where an API key comes from, in the order in which the places are asked.
public enum CredentialSource: String, Codable, Sendable, CaseIterable {
  /// A variable of the service's environment.
  case environment
  /// The desktop's keyring.
  case secretService = "secret_service"
  /// A file in the data directory that only its owner can read.
  case file
}

/// A text that is told once and never shown: however it is printed, it stays hidden.
public struct SecretText: Sendable, Equatable {
  /// The whole of it, for the one place that needs it.
  public let revealed: String

  public init(_ text: String) { revealed = text }
}

extension SecretText: Codable {
  public init(from decoder: any Decoder) throws {
    do {
      revealed = try decoder.singleValueContainer().decode(String.self)
    } catch {
      // Said here, because what is found instead would be repeated otherwise.
      let path = decoder.codingPath.map { "/\($0.stringValue)" }.joined()
      throw JSONDecodingFailure(path: path, expected: "a string", message: "\(path) must be a string.")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(revealed)
  }
}

extension SecretText: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "…" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
