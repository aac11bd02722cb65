/// `queue/resume`: lets what waits begin again as soon as its provider can be reached.
///
/// It takes back one `queue/pause`: everybody's where no account is meant, or one account's, which stays held back while
/// everybody's is. Resuming what was never paused is fine.
public struct QueueResume: RequestMessage {
  public static let method = "queue/resume"

  /// Whose. Default: the account of `initialize`, else everybody's.
  public var account: AccountID?

  public init(account: AccountID? = nil) {
    self.account = account
  }

  public typealias Result = QueueStatus.Result
}

extension QueueResume: SchemaDescribed {
  public static let summary = "Lets what waits begin again as soon as its provider can be reached."

  public static let members = [
    "account": "Whose. Default: the account of `initialize`, else everybody's."
  ]
}
