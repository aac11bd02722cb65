import AtelierProtocol

/// Why credentials cannot be read or changed: in full for the operator, and for a caller without paths
/// (REQUIREMENTS 5.1).
public struct CredentialFailure: Error, Sendable, Equatable {
  public var kind: ErrorKind
  /// One sentence with what to do about it, naming files and commands.
  public var sentence: String
  /// The same for whoever made a request.
  public var message: String
  public var provider: ProviderID?
  /// True when it is the data directory that cannot be used, which commands tell by their status (PROTOCOL 7).
  public var isAboutDirectory = false

  init(_ kind: ErrorKind, _ sentence: String, message: String? = nil, provider: ProviderID? = nil) {
    self.kind = kind
    self.sentence = sentence
    self.message = message ?? sentence
    self.provider = provider
  }

  /// The answer to a request.
  public var atelierError: AtelierError { AtelierError(kind, message, provider: provider) }

  /// The same, about the data directory.
  var aboutDirectory: CredentialFailure {
    var failure = self
    failure.isAboutDirectory = true
    return failure
  }
}
