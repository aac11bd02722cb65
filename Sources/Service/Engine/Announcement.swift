import AtelierProtocol
import Glibc

/// A notification that the engine sends to the host.
public enum Announcement: Sendable {
  case progress(GenerationProgress, of: AccountID)
  /// The end of a detached generation, to the process that started it.
  case finished(Generation, of: AccountID)
  /// The balance of a metered account has changed.
  case creditsChanged(CreditsChanged)
  /// A provider became available or unavailable; sent whatever the account.
  case providerChanged(ProviderChanged)
}
