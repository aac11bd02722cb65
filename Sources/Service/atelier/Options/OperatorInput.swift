import ArgumentParser
import AtelierProtocol
import Glibc

/// What an operator names on the command line: the same rules for every command.
enum OperatorInput {
  /// - Throws: wrong usage.
  static func checkAccount(_ name: String) throws {
    guard (1...AccountID.maximumLength).contains(name.unicodeScalars.count) else {
      throw ValidationError("An account is named by 1 to \(AccountID.maximumLength) characters.")
    }
    guard AccountID(rawValue: name) != .everybody else {
      throw ValidationError("* stands for every account and is none itself. Name one.")
    }
    guard !name.hasPrefix(AccountID.deletedPrefix) else {
      throw ValidationError("What begins with \(AccountID.deletedPrefix) stands for deleted accounts. Name another one.")
    }
  }

  /// - Throws: wrong usage, also for the machine's own account, which has no credits.
  static func meteredAccount(_ name: String) throws -> AccountID {
    try checkAccount(name)
    guard AccountID(rawValue: name) != .owner else {
      throw ValidationError(
        "owner is this machine's own account: nothing is counted for it, so it has no credits and no tier to change. "
          + "Name the account of somebody your host serves.")
    }
    return AccountID(rawValue: name)
  }

  /// An identity as `PROVIDER:SUBJECT`.
  /// - Throws: wrong usage.
  static func identity(_ text: String) throws -> Identity {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, IdentityProviderName.allows(parts[0]), IdentitySubject.allows(parts[1]) else {
      throw ValidationError("--identity must be a provider and its id of the person, such as email:anna@example.org.")
    }
    return Identity(provider: parts[0], subject: parts[1])
  }

  static func checkAmount(_ amount: Int) throws {
    guard CreditAmount.allows(amount) else {
      throw ValidationError("--amount must be from 1 to \(CreditAmount.range.upperBound) credits.")
    }
  }

  static func checkReason(_ reason: String) throws {
    guard CreditReason.allows(reason) else {
      throw ValidationError(
        "--reason must say why, in 1 to \(CreditReason.maximum) characters: it is kept with the credits.")
    }
  }

  static func checkKey(_ key: String?, as option: String = "--key") throws {
    guard key.map(IdempotencyKeyLength.allows) ?? true else {
      throw ValidationError("\(option) must be of 1 to \(IdempotencyKeyLength.maximum) characters.")
    }
  }

  /// - Throws: wrong usage.
  static func time(_ text: String) throws -> Timestamp {
    guard let time = Timestamp(text) else {
      throw ValidationError("“\(text)” is not a time such as 2026-11-01T00:00:00Z.")
    }
    return time
  }

  /// - Throws: wrong usage, for a tier that cannot be assigned.
  static func tier(_ name: String) throws -> Tier {
    if name == Tier.owner.rawValue {
      throw ValidationError("Only the machine's own account is its owner. Choose guest, free or premium.")
    }
    guard let tier = Tier(rawValue: name) else { throw ValidationError("--tier must be guest, free or premium.") }
    return tier
  }
}
