/// `credentials/status`: which providers have their API key, and from where. Never the keys.
public struct CredentialsStatus: RequestMessage, Parameterless {
  public static let method = "credentials/status"

  public init() {}

  /// Every provider that takes a key.
  public struct Result: Codable, Sendable, Equatable {
    public var providers: [Entry]

    public init(providers: [Entry]) {
      self.providers = providers
    }
  }

  /// How one provider stands.
  public struct Entry: Codable, Sendable, Equatable {
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

extension CredentialsStatus: SchemaDescribed {
  public static let summary =
    "Which providers have their API key, and from where. Never the keys. A connection confined to an account may not."
}

extension CredentialsStatus.Result: SchemaDescribed {
  public static let summary = "Every provider that takes a key."
}

extension CredentialsStatus.Entry: SchemaDescribed {
  public static let summary = "How one provider stands."

  public static let members = [
    "configured": "True when there is a key that can be used.",
    "source": "Where the key comes from.",
    "masked": "The end of the key, to recognise it by.",
    "environmentVariable": "The variable the key comes from, where its source is the environment.",
    "environmentVariables": "The variables that can provide a key, the first one that is set winning.",
    "reason": "Why a key that is there cannot be used, as a sentence with what to do about it.",
  ]
}
