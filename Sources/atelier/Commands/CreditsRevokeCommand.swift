import ArgumentParser
import AtelierProtocol

/// `atelier credits revoke`: takes back credits that were not spent.
struct CreditsRevokeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke",
    abstract: "Take back credits that an account has not spent.",
    discussion: """
      Those are taken first that would be spent first. Where there are fewer, nothing is taken.

        atelier credits revoke --account anna --amount 3 --reason "given twice"
      """)

  @Option(help: "Whose.")
  var account: String

  @Option(help: "How many credits, 1 to 1000000.")
  var amount: Int

  @Option(help: "Why: kept, and shown in the account's history.")
  var reason: String

  @Flag(help: "Print the balance as JSON, as the protocol gives it.")
  var json = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    _ = try OperatorInput.meteredAccount(account)
    try OperatorInput.checkAmount(amount)
    try OperatorInput.checkReason(reason)
  }

  func run() async throws {
    let id = try OperatorInput.meteredAccount(account)
    let balance = try await EngineAssembly.withStore(common.settings) { store in
      try await store.revokeCredits(amount, from: id, because: reason)
    }
    if json { return try Console.printJSON(balance) }
    print("\(amount.credits) of \(account) taken back.")
    print(balance.sentence)
  }
}
