/// The password of a database on a server, in the desktop's keyring.
public enum StorePassword {
  /// Where a provider is named in the keyring.
  private static let keyringName = "store"

  /// Blocks.
  /// - Parameters:
  ///   - role: of the database. The one that owns the tables has another password than that of the services.
  ///   - value: the value of a variable; nil when it is not set.
  /// - Returns: nil when the keyring has none, or cannot be read now.
  public static func inKeyring(of role: String, environment value: (_ name: String) -> String?) -> String? {
    SecretService(environment: CredentialEnvironment(value)).text(of: keyringName, user: role)
  }
}
