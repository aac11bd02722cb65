import ArgumentParser
import AtelierProtocol

/// `atelier account`: the accounts of the service, for the operator.
struct AccountCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account",
    abstract: "Change an account's tier and limits.",
    discussion: """
        atelier account set anna --tier premium
        atelier account set anna --unlimited
      """,
    subcommands: [AccountSetCommand.self])
}

/// `atelier account set`: changes an account.
struct AccountSetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Set an account's tier, or lift its limits.",
    discussion: """
      premium is a subscription without an end date, until the account is set to another tier; a purchased one continues.
      --unlimited lifts the rate limits, not the need for credits.

        atelier account set anna --tier premium --unlimited
        atelier account set anna --tier free --no-unlimited
      """)

  @Argument(help: "The account.")
  var account: String

  @Option(help: "The tier: guest, free or premium.", completion: .list(["guest", "free", "premium"]))
  var tier: String?

  @Flag(inversion: .prefixedNo, help: "Whether its rate limits are lifted.")
  var unlimited: Bool?

  @Flag(help: "Print the balance as JSON, in the form of the protocol.")
  var json = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    _ = try OperatorInput.meteredAccount(account)
    _ = try tier.map(OperatorInput.tier)
    guard tier != nil || unlimited != nil else {
      throw ValidationError("Say what to change: --tier guest|free|premium, --unlimited or --no-unlimited.")
    }
  }

  func run() async throws {
    let id = try OperatorInput.meteredAccount(account)
    let tier = try tier.map(OperatorInput.tier)
    let balance = try await EngineAssembly.withStore(common.settings) { store in
      try await store.set(id, tier: tier, isUnlimited: unlimited).balance
    }
    if json { return try Console.printJSON(balance) }
    print("\(account) is \(balance.tier.rawValue) now\(balance.unlimited ? ", and its limits are lifted" : "").")
    print(balance.sentence)
  }
}
