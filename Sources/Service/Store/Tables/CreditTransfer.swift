import AtelierProtocol

/// One transfer of credits of one bucket: a balanced double entry.
struct CreditTransfer {
  enum Kind: String, CaseIterable {
    case grant, hold, capture, release, expire, revoke, merge, forfeit

    var source: String {
      switch self {
      case .grant: "issued"
      case .hold, .expire, .revoke, .merge, .forfeit: "available"
      case .capture, .release: "held"
      }
    }

    var destination: String {
      switch self {
      case .grant, .release: "available"
      case .hold: "held"
      case .capture: "spent"
      case .expire: "expired"
      case .revoke: "revoked"
      case .merge: "merged"
      case .forfeit: "forfeited"
      }
    }

    /// Its effect on available credits: 1, 0 or −1.
    var direction: Int { (destination == "available" ? 1 : 0) - (source == "available" ? 1 : 0) }
  }

  var seq: Int64
  var kind: Kind
  var account: AccountID
  var grant: String
  var hold: String?
  var amount: Int
  /// The available credits of the account after it.
  var availableAfter: Int
  /// The operator's reason.
  var reason: String?
  var created: Timestamp
  /// Empty for the first.
  var previousHash: String

  /// The values that the next transfer builds on.
  struct Last {
    var seq: Int64
    var hash: String
    var created: Timestamp
  }
}
