/// Every message of the protocol, in the order of the reference.
public enum ProtocolRegistry {
  /// The methods a host may call.
  public static let requests: [any RequestMessage.Type] = [
    Initialize.self, Ping.self, Shutdown.self, Discover.self, Generate.self, Regenerate.self, Cancel.self, Status.self,
    GenerationWatch.self, History.self, HistoryGet.self, HistoryAnnotate.self, HistoryDelete.self, HistoryExport.self,
    SessionList.self, SessionGet.self, FeedbackSubmit.self, UsageStatistics.self, ImagePrepare.self, ImageRead.self,
    ImageLink.self, StylesList.self, TemplatesList.self, TemplatesGet.self, ProvidersList.self,
    CredentialsSet.self, CredentialsStatus.self, CredentialsDelete.self,
    AccountGet.self, AccountSignIn.self, AccountSignOut.self,
    AccountConsent.self, AccountDelete.self, AccountSet.self, CreditsBalance.self, CreditsHistory.self, CreditsEstimate.self,
    CreditsProducts.self, CreditsPurchase.self, CreditsGrant.self, CreditsRevoke.self,
    QueueStatus.self, QueuePause.self, QueueResume.self,
  ]

  /// The notifications a host may send.
  public static let notificationsFromHost: [any NotificationMessage.Type] = [
    Initialized.self, Exit.self, CancelRequest.self,
  ]

  /// The requests the service sends, to hosts that announced that they answer them.
  public static let requestsToHost: [any RequestMessage.Type] = [LocationSearch.self]

  /// The notifications the service sends.
  public static let notificationsToHost: [any NotificationMessage.Type] = [
    GenerationProgress.self, GenerationFinished.self, CreditsChanged.self, ProviderChanged.self,
  ]

  /// The types of the details that some errors have.
  public static let errorDetails: [any ErrorDetails.Type] = [
    InvalidReceiptDetails.self, InsufficientCreditsDetails.self, LimitDetails.self,
  ]

  /// The names of everything that a host may send.
  public static var acceptedMethods: [String] { requests.map { $0.method } + notificationsFromHost.map { $0.method } }

  /// The names of every notification the service sends.
  public static var sentNotifications: [String] { notificationsToHost.map { $0.method } }
}

/// The version of the protocol. It changes only when clients of the previous version would break.
public enum ProtocolVersion {
  public static let current = "1"
}

/// Which version of Atelier this is (semantic versioning).
public enum Version {
  public static let current = "0.1.0"
}

/// A message whose unknown members are ignored.
public protocol OpenToUnknownMembers {}
