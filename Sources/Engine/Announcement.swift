import AtelierProtocol

/// What the engine tells the host unasked.
public enum Announcement: Sendable {
  case progress(GenerationProgress, of: AccountID)
  /// The end of a detached generation, to the process that started it.
  case finished(GenerationFinished, of: AccountID)
  /// A metered account has more or less to spend than before.
  case creditsChanged(CreditsChanged)
  /// A provider became available or ceased to be; everybody's concern.
  case providerChanged(ProviderChanged)
}
