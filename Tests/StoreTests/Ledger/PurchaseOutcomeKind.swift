@testable import Store

/// ``PurchaseOutcome`` without what it tells.
enum PurchaseOutcomeKind: Equatable {
  case counted, countedBefore, ofAnotherAccount, ofDeletedAccount, refunded
}

extension PurchaseOutcome {
  var kind: PurchaseOutcomeKind {
    switch self {
    case .counted: .counted
    case .countedBefore: .countedBefore
    case .ofAnotherAccount: .ofAnotherAccount
    case .ofDeletedAccount: .ofDeletedAccount
    case .refunded: .refunded
    }
  }
}
