import ArgumentParser
import AtelierProtocol
import Store

/// `atelier account`: the accounts of the service, for the operator.
struct AccountCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account",
    abstract: "Show, change and delete accounts, and sign people in.",
    discussion: """
        atelier account show anna
        atelier account set anna --tier premium
        atelier account sign-in tablet --token token.jwt
        atelier account delete anna
      """,
    subcommands: [
      AccountShowCommand.self, AccountSetCommand.self, AccountSignInCommand.self, AccountSignOutCommand.self,
      AccountConsentCommand.self, AccountDeleteCommand.self,
    ])
}

/// `atelier account set`: changes an account.
struct AccountSetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Set an account's tier, or lift its limits.",
    discussion: """
      premium is a subscription without an end date, until the account is set to another tier; a purchased one continues.
      Its credits are granted each month from --start on. Set again within a month that was granted, premium continues it
      and grants nothing. A repeated --key changes nothing. --unlimited lifts the rate limits, not the need for credits.

        atelier account set anna --tier premium --unlimited
        atelier account set anna --tier premium --start 2026-11-01T00:00:00Z --key event-17
        atelier account set anna --tier free --no-unlimited
      """)

  @Argument(help: "The account.")
  var account: String

  @Option(help: "The tier: guest, free or premium.", completion: .list(["guest", "free", "premium"]))
  var tier: String?

  @Flag(inversion: .prefixedNo, help: "Whether its rate limits are lifted.")
  var unlimited: Bool?

  @Option(help: "When the paid period of premium began or will begin, such as 2026-11-01T00:00:00Z. By default now.")
  var start: String?

  @Option(help: "A name for this change: repeating it changes nothing.")
  var key: String?

  @Flag(help: "Print the balance as JSON, in the form of the protocol.")
  var json = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    _ = try OperatorInput.meteredAccount(account)
    _ = try tier.map(OperatorInput.tier)
    guard tier != nil || unlimited != nil else {
      throw ValidationError("Say what to change: --tier guest|free|premium, --unlimited or --no-unlimited.")
    }
    guard start == nil || tier == Tier.premium.rawValue else {
      throw ValidationError("--start is for --tier premium only: the other tiers have no period.")
    }
    _ = try start.map(OperatorInput.time)
    try OperatorInput.checkKey(key)
  }

  func run() async throws {
    let id = try OperatorInput.meteredAccount(account)
    let change = AccountChange(
      tier: try tier.map(OperatorInput.tier), isUnlimited: unlimited, start: try start.map(OperatorInput.time))
    let (record, granted, reason, isNew) = try await EngineAssembly.withStore(common.settings, for: id) { store, id in
      try await store.change(id, change, source: key)
    }
    let balance = record.balance
    if json { return try Console.printJSON(balance) }
    if !isNew { print("This change was made by this key before, and nothing now.") }
    print("\(account) is \(balance.tier.rawValue) now\(balance.unlimited ? ", and its limits are lifted" : "").")
    if granted > 0 { print("\(account) was given \(granted.credits).") }
    if isNew, let sentence = reason?.sentence { print(sentence) }
    print(balance.sentence)
  }
}

extension ReducedGrant {
  /// Why fewer credits were given, as text.
  fileprivate var sentence: String {
    switch self {
    case .alreadyGranted: "The credits of this tier were given before."
    case .monthRunning: "The month goes on, and its credits were given when it began."
    case .planChanged: "The month of another plan is running: only what this one gives beyond it was given."
    case .notStarted: "The month's credits come when it begins."
    }
  }
}
