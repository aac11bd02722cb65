import JSONRPC

/// `status`: where the service, a generation or an account stands, by what the params name.
///
/// With nothing the service; with `generationId` or `idempotencyKey` that generation; with `account` alone that
/// account.
public struct Status: RequestMessage {
  public static let method = "status"

  /// The generation asked about; this or `idempotencyKey`.
  public var generationId: GenerationID?
  /// The key it was asked for with; this or `generationId`.
  @Limited<IdempotencyKeyLength> public var idempotencyKey: String?
  /// Whose generation it is; alone, the account asked about.
  public var account: AccountID?

  public init(generationId: GenerationID? = nil, idempotencyKey: String? = nil, account: AccountID? = nil) {
    self.generationId = generationId
    self.idempotencyKey = idempotencyKey
    self.account = account
  }

  /// What is asked about.
  public enum Subject: Sendable, Equatable {
    case service
    case generation(GenerationReference, account: AccountID?)
    case account(AccountID)
  }

  /// What is asked about.
  public var subject: Subject {
    if let reference = GenerationReference(generationId: generationId, idempotencyKey: idempotencyKey) {
      return .generation(reference, account: account)
    }
    return account.map(Subject.account) ?? .service
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    generationId = try members.decodeIfPresent(GenerationID.self, forKey: .generationId)
    _idempotencyKey = try members.decode(Limited.self, forKey: .idempotencyKey)
    account = try members.decodeIfPresent(AccountID.self, forKey: .account)
    guard generationId == nil || idempotencyKey == nil else {
      throw JSONExpectation("an object with generationId or idempotencyKey, not both")
    }
  }
}

extension Status: SchemaDescribed {
  public static let members = [
    "generationId": "The generation asked about; this or `idempotencyKey`.",
    "idempotencyKey": "The key it was asked for with; this or `generationId`.",
    "account": "Whose generation it is; alone, the account asked about.",
  ]
}
