/// `credentials/set`: keeps a provider's API key, in the desktop's keyring where there is one, else in a file only its
/// owner can read.
///
/// It takes the place of the key kept before. The key is never answered, logged or put into the database. A connection
/// confined to an account may not.
public struct CredentialsSet: RequestMessage {
  public static let method = "credentials/set"

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

extension CredentialsSet: SchemaDescribed {
  public static let summary =
    "Keeps a provider's API key, in the desktop's keyring where there is one, else in a file only its owner can read. "
    + "It takes the place of the key kept before. The key is never answered, logged or put into the database. "
    + "A connection confined to an account may not."

  public static let members = [
    "provider": "The provider the key is for.",
    "key": "The key, as the provider gave it.",
  ]
}

extension CredentialsSet.Result: SchemaDescribed {
  public static let summary = "Where the key is now."

  public static let members = [
    "source": "Where the key was put.",
    "masked": "The end of the key, to recognise it by.",
    "environmentVariable": "The environment variable whose key is used instead, for as long as it is set.",
    "note": "What a person should know about it.",
  ]
}
