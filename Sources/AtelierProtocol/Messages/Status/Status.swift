import JSONRPC

/// `status`: where the service, a generation or an account stands, by what the params name.
///
/// With nothing the service; with `generationId` or `idempotencyKey` that generation; with `account` alone that
/// account.
public struct Status: RequestMessage {
  public static let method = "status"

  /// The generation asked about.
  public var target: GenerationTarget?
  /// Whose generation it is; alone, the account asked about.
  public var account: AccountID?

  public init(target: GenerationTarget? = nil, account: AccountID? = nil) {
    self.target = target
    self.account = account
  }

  private enum CodingKeys: CodingKey { case account }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    account = try members.decodeIfPresent(AccountID.self, forKey: .account)
    target = try GenerationTarget(ifPresentIn: decoder)
  }

  public func encode(to encoder: any Encoder) throws {
    try target?.encode(to: encoder)
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encodeIfPresent(account, forKey: .account)
  }
}

extension Status: SchemaDescribed {
  public static let summary =
    "Where the service, a generation or an account stands, by what the params name. With nothing the service; "
    + "with `generationId` or `idempotencyKey` that generation; with `account` alone that account."

  public static let members = [
    "generationId": "The generation; this or `idempotencyKey`.",
    "idempotencyKey": "The key it was asked for with; this or `generationId`.",
    "account": "Whose generation it is; alone, the account asked about.",
  ]

  public static let keywords: JSONObject = ["not": ["required": ["generationId", "idempotencyKey"]]]
}
