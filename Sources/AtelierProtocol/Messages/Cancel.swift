import JSON

/// `cancel`: ends a generation wherever it stands.
///
/// Idempotent: cancelling what is already cancelled answers the same. After success it is refused with
/// `already_finished`: the pictures are delivered and the credits spent.
public struct Cancel: RequestMessage {
  public static let method = "cancel"

  /// The generation to end.
  public var target: GenerationTarget
  /// Whose it is. Default: the account of `initialize`, else `owner`.
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

  /// The generation has ended.
  public struct Result: Codable, Sendable, Equatable {
    public var generationId: GenerationID
    /// `cancelled`.
    public var state: GenerationState
    public var credits: ReleasedCredits

    public init(generationId: GenerationID, state: GenerationState, credits: ReleasedCredits) {
      self.generationId = generationId
      self.state = state
      self.credits = credits
    }
  }

  /// What became of the credits.
  public struct ReleasedCredits: Codable, Sendable, Equatable {
    /// Credits given back.
    public var released: Int
    /// What the account had left then; null where no credits were set aside, as for an account that is not metered.
    @Nullable public var balanceAfter: Int?

    public init(released: Int = 0, balanceAfter: Int?) {
      self.released = released
      self.balanceAfter = balanceAfter
    }
  }
}

extension Cancel: SchemaDescribed {
  public static let summary =
    "Ends a generation wherever it stands. Idempotent: cancelling what is already cancelled answers the same. "
    + "After success it is refused with `already_finished`: the pictures are delivered and the credits spent."

  public static let members = [
    "generationId": "The generation; this or `idempotencyKey`.",
    "idempotencyKey": "The key it was asked for with; this or `generationId`.",
    "account": "Whose it is. Default: the account of `initialize`, else `owner`.",
  ]

  public static let keywords: JSONObject = [
    "oneOf": [["required": ["generationId"]], ["required": ["idempotencyKey"]]]
  ]
}

extension Cancel.Result: SchemaDescribed {
  public static let summary = "The generation has ended."

  public static let members = [
    "state": "`cancelled`."
  ]
}

extension Cancel.ReleasedCredits: SchemaDescribed {
  public static let summary = "What became of the credits."

  public static let members = [
    "released": "Credits given back.",
    "balanceAfter":
      "What the account had left then; null where no credits were set aside, as for an account that is not metered.",
  ]
}

/// `$/cancelRequest`: cancels the request with that id; it is answered all the same, exactly once.
public struct CancelRequest: NotificationMessage {
  public static let method = "$/cancelRequest"

  /// The id of the request, as it was sent: a string or a number.
  public var id: JSONValue

  public init(id: JSONValue) {
    self.id = id
  }
}

extension CancelRequest: SchemaDescribed {
  public static let summary = "Cancels the request with that id; it is answered all the same, exactly once."

  public static let members = [
    "id": "The id of the request, as it was sent: a string or a number."
  ]
}
