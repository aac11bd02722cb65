import JSONRPC

/// `cancel`: ends a generation wherever it stands.
///
/// Idempotent: cancelling what is already cancelled answers the same. After success it is refused with
/// `already_finished`: the pictures are delivered and the credits spent.
public struct Cancel: RequestMessage {
  public static let method = "cancel"

  /// The generation to end; this or `idempotencyKey`.
  public var generationId: GenerationID?
  /// The key it was asked for with; this or `generationId`.
  @Limited<IdempotencyKeyLength> public var idempotencyKey: String?
  /// Whose it is. Default: the account of `initialize`, else `owner`.
  public var account: AccountID?

  public init(generationId: GenerationID? = nil, idempotencyKey: String? = nil, account: AccountID? = nil) {
    self.generationId = generationId
    self.idempotencyKey = idempotencyKey
    self.account = account
  }

  /// The generation that is meant.
  public var subject: GenerationReference? {
    GenerationReference(generationId: generationId, idempotencyKey: idempotencyKey)
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    generationId = try members.decodeIfPresent(GenerationID.self, forKey: .generationId)
    _idempotencyKey = try members.decode(Limited.self, forKey: .idempotencyKey)
    account = try members.decodeIfPresent(AccountID.self, forKey: .account)
    guard subject != nil else { throw JSONExpectation("an object with either generationId or idempotencyKey") }
  }

  /// The generation has ended.
  public struct Result: Codable, Sendable, Equatable {
    public var generationId: GenerationID
    /// `cancelled`.
    public var state: GenerationState
    public var credits: Credits

    public init(generationId: GenerationID, state: GenerationState, credits: Credits) {
      self.generationId = generationId
      self.state = state
      self.credits = credits
    }
  }

  /// What became of the credits.
  public struct Credits: Codable, Sendable, Equatable {
    /// Credits given back.
    public var released: Int
    /// What the account has left; null for an account that is not metered.
    @Nullable public var balanceAfter: Int?

    public init(released: Int = 0, balanceAfter: Int?) {
      self.released = released
      self.balanceAfter = balanceAfter
    }
  }
}

extension Cancel: SchemaDescribed {
  public static let members = [
    "generationId": "The generation to end; this or `idempotencyKey`.",
    "idempotencyKey": "The key it was asked for with; this or `generationId`.",
    "account": "Whose it is. Default: the account of `initialize`, else `owner`.",
  ]
}

extension Cancel.Result: SchemaDescribed {
  public static let summary = "The generation has ended."

  public static let members = [
    "state": "`cancelled`.",
  ]
}

extension Cancel.Credits: SchemaDescribed {
  public static let summary = "What became of the credits."

  public static let members = [
    "released": "Credits given back.",
    "balanceAfter": "What the account has left; null for an account that is not metered.",
  ]
}
