import ArgumentParser
import AtelierProtocol

/// `atelier credits show`: what an account has, and where it comes from.
struct CreditsShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show what an account has to spend, where it comes from and what it owes.",
    discussion: """
        atelier credits show --account anna
        atelier credits show --account anna --json | jq .available
      """)

  @Option(help: "Whose.")
  var account: String

  @Flag(help: "Print the balance as JSON, as the protocol gives it.")
  var json = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    _ = try OperatorInput.meteredAccount(account)
  }

  func run() async throws {
    let id = try OperatorInput.meteredAccount(account)
    let balance = try await EngineAssembly.withStore(common.settings) { try await $0.creditBalance(of: id) }
    if json { return try Console.printJSON(balance) }
    print("Tier: \(balance.tier.rawValue)\(balance.unlimited ? ", limits lifted" : "").")
    print(balance.sentence)
    // The next to be spent first.
    for bucket in balance.buckets { print("  \(bucket.line)") }
    if let reset = balance.resetAt { print("The next month's credits come \(reset.text).") }
  }
}

extension CreditBalance.Bucket {
  fileprivate var line: String {
    let aside = held > 0 ? ", \(held) held" : ""
    let end = expiresAt.map { "until \($0.text)" } ?? "for good"
    return "\(kind.rawValue): \(available) of \(amount)\(aside), since \(createdAt.text), \(end)"
  }
}
