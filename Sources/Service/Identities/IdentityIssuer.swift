/// Who may issue identity tokens, as the operator configures it.
public struct IdentityIssuer: Sendable, Equatable {
  /// The name by which accounts and the configuration know it, such as `google`: the provider of its identities.
  public var id: String
  /// What its tokens have in `iss`, compared byte by byte.
  public var issuer: String
  /// For whom its tokens must be made: the ids of the operator's apps.
  public var audiences: [String]
  public var keys: KeySetLocation

  public init(id: String, issuer: String, audiences: [String], keys: KeySetLocation) {
    self.id = id
    self.issuer = issuer
    self.audiences = audiences
    self.keys = keys
  }
}

/// Where the keys are with which an issuer signs: a JSON Web Key Set (RFC 7517 section 5).
public enum KeySetLocation: Sendable, Equatable {
  /// An `https` URL, or an `http` one of this machine; the HTTP client refuses others.
  case url(String)
  /// The path of a file.
  case file(String)
}
