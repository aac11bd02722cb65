import JSONRPC

/// Why a purchase was not believed: the details of `invalid_receipt` (REQUIREMENTS 6.7).
public struct InvalidReceiptDetails: ErrorDetails {
  public static let kinds: [ErrorKind] = [.invalidReceipt]

  /// The stable name of what is wrong, such as `wrong_account`. A text, because what can be wrong is known to those who
  /// verify, and more may come.
  public var reason: String

  public init(reason: String) {
    self.reason = reason
  }

  public var json: JSONObject { ["reason": .string(reason)] }
}

extension InvalidReceiptDetails {
  public static let summary = "Why a purchase was not believed."

  public static let members = [
    "reason": "The stable name of what is wrong, such as `wrong_account`; more may come."
  ]
}
