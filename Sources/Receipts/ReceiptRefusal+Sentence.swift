extension ReceiptRefusal {
  /// One sentence a person can act on.
  public var sentence: String {
    switch reason {
    case .malformed: "This receipt is damaged or incomplete: restore your purchases in the store and send it again."
    case .tooLarge: "This receipt is too long to be genuine: restore your purchases in the store and send it again."
    case .wrongAlgorithm:
      "This receipt is not signed the way the store signs: restore your purchases in the store and send it again."
    case .wrongChain, .missingOID:
      "This receipt is not signed by the store: restore your purchases in the store and send it again."
    case .untrustedRoot: "This receipt is signed by somebody this service does not trust: buy from the store itself."
    case .expiredCertificate:
      "This receipt was signed when its certificate was not valid: restore your purchases and send it again."
    case .badSignature: "The signature of this receipt is wrong: restore your purchases in the store and send it again."
    case .wrongBundle: "This purchase was made in another app: use it there."
    case .wrongProduct: "This product is not known here: update the app, or ask for support."
    case .wrongEnvironment: "This is a test purchase, which is not accepted here: buy from the store itself."
    case .wrongAccount: "This purchase belongs to another account: sign in with the account that bought it."
    case .missingAccount: "This purchase names no account: buy it again while signed in, or ask for support."
    case .familyShared: "This purchase is shared by a family member: only the account that bought it can use it."
    case .expired: "The time this purchase paid for is over: renew the subscription."
    case .pending: "This purchase is not paid yet: send it again once the payment has gone through."
    case .wrongQuantity: "This purchase has no valid number of items: ask for support."
    case .revoked: "The store has refunded this purchase: buy it again to use it."
    case .notConfigured: "Purchases from this store are not accepted here: ask whoever runs this service."
    }
  }
}
