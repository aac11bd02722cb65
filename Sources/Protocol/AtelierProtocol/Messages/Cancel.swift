import JSON

/// Cancels a generation that has not ended, whichever process works on it.
///
/// Idempotent: cancelling a cancelled generation gives the same answer. A generation that has ended in another way is
/// refused with `already_finished`.
public struct Cancel: RequestMessage {
  public static let method = "cancel"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound, .alreadyFinished]

  /// The generation to end.
  public var target: GenerationTarget
  /// The account that the generation must belong to. Default: the connection's account; otherwise any for a
  /// `generationId` and `owner` for an `idempotencyKey`.
  public var account: AccountID?

  public init(target: GenerationTarget, account: AccountID? = nil) {
    self.target = target
    self.account = account
  }

  private enum CodingKeys: CodingKey { case account }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    account = try members.decodeIfPresent(AccountID.self, forKey: .account)
    target = try GenerationTarget(from: decoder)
  }

  public func encode(to encoder: any Encoder) throws {
    try target.encode(to: encoder)
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encodeIfPresent(account, forKey: .account)
  }

  /// The generation, which has ended.
  public typealias Result = Generation
}

/// Cancels a request. The request is still answered, exactly once.
public struct CancelRequest: NotificationMessage {
  public static let method = "$/cancelRequest"

  /// The id of the request, as it was sent: a string or a number.
  public var id: JSONValue

  public init(id: JSONValue) {
    self.id = id
  }
}
