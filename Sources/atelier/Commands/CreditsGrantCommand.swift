import ArgumentParser
import AtelierProtocol

/// `atelier credits grant`: gives credits that never expire.
struct CreditsGrantCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grant",
    abstract: "Give an account credits that never expire.",
    discussion: """
      The same --key gives nothing a second time; without it each call is a new gift.

        atelier credits grant --account anna --amount 8 --reason "sorry for the outage" --key ticket-12
      """)

  @Option(help: "Whose.")
  var account: String

  @Option(help: "How many credits, 1 to 1000000.")
  var amount: Int

  @Option(help: "Why: kept, and shown in the account's history.")
  var reason: String

  @Option(help: "Names this gift, so that a repeated call gives nothing.")
  var key: String?

  @Flag(help: "Print the balance as JSON, as the protocol gives it.")
  var json = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    _ = try OperatorInput.meteredAccount(account)
    try OperatorInput.checkAmount(amount)
    try OperatorInput.checkReason(reason)
    try OperatorInput.checkKey(key)
  }

  func run() async throws {
    let id = try OperatorInput.meteredAccount(account)
    let (balance, isNew) = try await EngineAssembly.withStore(common.settings) { store in
      try await store.grantCredits(amount, to: id, because: reason, source: key)
    }
    if json { return try Console.printJSON(balance) }
    print("\(account) was given \(amount.credits)\(isNew ? "." : " by this key before, and nothing now.")")
    print(balance.sentence)
  }
}
