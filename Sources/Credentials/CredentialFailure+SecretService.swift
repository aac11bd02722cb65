import AtelierProtocol

extension CredentialFailure {
  /// Why a key that the keyring has cannot be used.
  /// - Returns: nil for an answer that leaves no doubt, or none worth a word.
  init?(_ answer: SecretServiceAnswer, provider: ProviderID) {
    switch answer {
    case .locked:
      self.init(
        .noApiKey,
        "The API key is in a keyring that is locked: unlock it, as with the desktop's password manager, and try again.",
        provider: provider)
    case .unusable:
      self.init(
        .invalidApiKey, "What the keyring holds for \(provider.rawValue) is no API key: set the key again.",
        provider: provider)
    case .found, .absent, .notThere, .failed, .overdue: return nil
    }
  }
}
