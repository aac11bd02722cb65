import AtelierProtocol
import Localization

/// What the ledger refuses. The transaction that was refused changes nothing.
enum LedgerRefusal: Error, Equatable {
  /// A generation needs more credits than are available, or the account owes some first.
  case insufficientCredits(required: Int, available: Int, shortfall: Int)
  /// An operator wants to take back more credits than are available, and the rest shall not be owed.
  case revocationExceedsBalance(required: Int, available: Int)
  /// The request would exceed a limit, as it stands at this time.
  case limitReached(UsageState, at: Timestamp)
  /// The account was never used.
  case unknownAccount(AccountID)
  /// Only the machine's own account is an owner.
  case ownerTier
  /// The key of an operator was used before, for something else.
  case keyReused(KeyUse)
  /// The payment that is refunded was granted to another account.
  case paymentOfAnother
  /// The identity belongs to an account that the caller may not act for.
  case identityOfAnother
  /// The account was merged into another one.
  case merged
  /// The account became part of one whose person may be somebody else.
  case accountOfAnother(AccountID)
  /// Generations of the account have not ended.
  case unfinished([GenerationID])

  /// What an operator uses a key for.
  enum KeyUse {
    case change, grant, revocation
  }
}

extension LedgerRefusal {
  /// The error for a caller.
  var atelierError: AtelierError {
    switch self {
    case .insufficientCredits(let required, let available, let shortfall):
      let details = InsufficientCreditsDetails(
        required: required, available: available, shortfall: shortfall > 0 ? shortfall : nil, upgradeOptions: [])
      return AtelierError(.insufficientCredits, details: details.json)
    case .revocationExceedsBalance(let required, let available):
      return AtelierError(
        .insufficientCredits,
        "Only \(available) of these \(required) credits can be revoked. Revoke at most \(available).",
        details: InsufficientCreditsDetails(required: required, available: available, upgradeOptions: []).json)
    case .limitReached(let usage, let now): return AtelierError(limit: usage, at: now)
    case .unknownAccount(let account): return AtelierError(unknownAccount: account)
    case .ownerTier:
      return AtelierError(
        .permissionDenied,
        hint: "Only the machine's own account has the tier owner. Choose guest, free or premium.")
    case .identityOfAnother:
      return AtelierError(
        .permissionDenied, "This sign-in belongs to another account. Please sign in there.",
        hint: "The connection may not act for the account of this identity. Connect for that account.")
    case .accountOfAnother(let account):
      return AtelierError(
        .permissionDenied, "This sign-in belongs to another account. Please sign in there.",
        hint: "The account was merged into “\(account)”, whose person may be another. Name a new guest's account, as "
          + "account/signOut returns it, or link the identity with `link`.")
    case .merged:
      return AtelierError(
        .overloaded, "This account has just become part of another one. Please try again.", retryAfterMs: 100)
    case .unfinished(let ids): return AtelierError(unfinished: ids)
    case .keyReused(let use): return AtelierError(.idempotencyMismatch, hint: use.hint)
    case .paymentOfAnother:
      return AtelierError(
        .idempotencyMismatch,
        hint: "This payment was granted to another account. Name that account, or leave the payment out.")
    }
  }
}

extension LedgerRefusal.KeyUse {
  fileprivate var hint: String {
    switch self {
    case .change:
      "This key was used for another change or another account. Repeat that one exactly, or choose a new key."
    case .grant:
      "This key was used for a grant of another amount, account or reason. Repeat that one exactly, or choose a new key."
    case .revocation:
      "This key was used to revoke another amount, from another account, of another payment or for another reason. "
        + "Repeat that one exactly, or choose a new key."
    }
  }
}

extension AtelierError {
  /// The error for a request that would exceed a limit.
  fileprivate init(limit usage: UsageState, at now: Timestamp) {
    let (limit, wait) = (usage.limit, usage.freeAt.map { max(1, $0.milliseconds - now.milliseconds) })
    let kind: ErrorKind
    let message: Sentence
    switch limit.window {
    case .concurrent:
      kind = .concurrentLimit
      message =
        limit.limit == 1
        ? "Only one of your requests can run at a time. Wait until it is done, or cancel it."
        : "Only \(limit.limit) of your requests can run at a time. Wait until one is done, or cancel one."
    case .day:
      kind = .dailyLimit
      message = "You have reached today's limit of \(limit.limit). Try again after midnight UTC."
    case .minute, .hour:
      kind = .rateLimited
      message = kind.sentence(retryAfterMs: Int(wait ?? 0))
    }
    let details = LimitDetails(
      scope: limit.window.rawValue, limit: limit.limit, used: usage.used, resetsAt: usage.freeAt)
    // Nobody knows when the other request ends: it is worth another try soon.
    let pause = limit.window == .concurrent ? UsageLimit.concurrentRetryMs : wait.map { Int($0) }
    self.init(kind, message, retryAfterMs: pause, details: details.json)
  }
}

extension AtelierError {
  /// The error for an account that was never used.
  public init(unknownAccount account: AccountID) {
    self.init(
      .notFound, "This account could not be found.",
      hint: "There is no account “\(account.rawValue)”. Check its name; an account exists from its first use.")
  }
}

extension AtelierError {
  /// The error for an account that cannot be merged or deleted before its generations have ended.
  public init(unfinished ids: [GenerationID]) {
    self.init(
      .notFinished, ErrorKind.notFinished.sentence,
      hint: "The account has generations that have not ended: \(ids.prefix(10).map(\.rawValue).joined(separator: ", ")).",
      generationId: ids.first)
  }
}
