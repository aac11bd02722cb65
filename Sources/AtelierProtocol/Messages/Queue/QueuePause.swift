/// `queue/pause`: holds back what waits, in every process and until `queue/resume`.
///
/// Requests that find their provider ready are done as ever. Pausing twice is fine.
public struct QueuePause: RequestMessage {
  public static let method = "queue/pause"

  /// Whose. Default: the account of `initialize`, else everybody's.
  public var account: AccountID?

  public init(account: AccountID? = nil) {
    self.account = account
  }

  public typealias Result = QueueStatus.Result
}

extension QueuePause: SchemaDescribed {
  public static let summary = "Holds back what waits, in every process and until `queue/resume`."

  public static let members = [
    "account": "Whose. Default: the account of `initialize`, else everybody's."
  ]
}
