import ArgumentParser
import AtelierProtocol

/// What an operator names on the command line: the same rules for every command.
enum OperatorInput {
  /// The most credits given or taken at once: more is a slip of the finger.
  static let mostCredits = 1_000_000
  /// The longest reason, in Unicode code points.
  static let longestReason = 500

  /// - Throws: wrong usage, also for the machine's own account, which nothing is counted for.
  static func meteredAccount(_ name: String) throws -> AccountID {
    guard (1...AccountID.maximumLength).contains(name.unicodeScalars.count) else {
      throw ValidationError("An account is named by 1 to \(AccountID.maximumLength) characters.")
    }
    guard AccountID(rawValue: name) != .everybody else {
      throw ValidationError("* stands for every account and is none itself. Name one.")
    }
    guard AccountID(rawValue: name) != .owner else {
      throw ValidationError(
        "owner is this machine's own account: nothing is counted for it, so it has no credits and no tier to change. "
          + "Name the account of somebody your host serves.")
    }
    return AccountID(rawValue: name)
  }

  static func checkAmount(_ amount: Int) throws {
    guard (1...mostCredits).contains(amount) else {
      throw ValidationError("--amount must be from 1 to \(mostCredits) credits.")
    }
  }

  static func checkReason(_ reason: String) throws {
    let says = reason.unicodeScalars.contains { !$0.properties.isWhitespace }
    guard says, reason.unicodeScalars.count <= longestReason else {
      throw ValidationError("--reason must say why, in 1 to \(longestReason) characters: it is kept with the credits.")
    }
  }

  static func checkKey(_ key: String?) throws {
    guard key.map({ (1...AccountID.maximumLength).contains($0.unicodeScalars.count) }) ?? true else {
      throw ValidationError("--key must be of 1 to \(AccountID.maximumLength) characters.")
    }
  }

  /// - Throws: wrong usage, for what is not a tier that can be given.
  static func tier(_ name: String) throws -> Tier {
    if name == Tier.owner.rawValue {
      throw ValidationError("Only the machine's own account is its owner. Choose guest, free or premium.")
    }
    guard let tier = Tier(rawValue: name) else { throw ValidationError("--tier must be guest, free or premium.") }
    return tier
  }
}
