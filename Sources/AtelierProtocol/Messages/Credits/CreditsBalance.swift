/// `credits/balance`: what an account has to spend, and from where.
public struct CreditsBalance: RequestMessage {
  public static let method = "credits/balance"

  /// Whose. Default: the account of `initialize`, else `owner`.
  public var account: AccountID?

  public init(account: AccountID? = nil) {
    self.account = account
  }

  public typealias Result = CreditBalance
}

extension CreditsBalance: SchemaDescribed {
  public static let summary = "What an account has to spend, and from where."

  public static let members = [
    "account": "Whose. Default: the account of `initialize`, else `owner`."
  ]
}
