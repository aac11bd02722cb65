/// `credentials/delete`: forgets a provider's API key, wherever Atelier kept it. Idempotent.
///
/// A key in the environment is not Atelier's to delete; the answer names its variable.
public struct CredentialsDelete: RequestMessage {
  public static let method = "credentials/delete"

  /// The provider whose key is to go.
  public var provider: ProviderID

  public init(provider: ProviderID) {
    self.provider = provider
  }

  /// What is gone.
  public struct Result: Codable, Sendable, Equatable {
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

extension CredentialsDelete: SchemaDescribed {
  public static let summary =
    "Forgets a provider's API key, wherever Atelier kept it. Idempotent. A key in the environment is not Atelier's to "
    + "delete; the answer names its variable. A connection confined to an account may not."

  public static let members = [
    "provider": "The provider whose key is to go."
  ]
}

extension CredentialsDelete.Result: SchemaDescribed {
  public static let summary = "What is gone."

  public static let members = [
    "deleted": "True when there was a key to delete.",
    "environmentVariable": "The environment variable that still provides a key.",
    "note": "What a person should know about it.",
  ]
}
