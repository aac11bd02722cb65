import ArgumentParser
import AtelierProtocol

/// `atelier credits audit`: does everything hold that must.
struct CreditsAuditCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "Look through the whole ledger of credits.",
    discussion: """
      Adds up every balance, follows every chain and compares every row with its hash, while other processes go on with
      their work. Prints what is wrong and ends with 1; ends with 0 when nothing is.

        atelier credits audit
        atelier credits audit --json | jq .sound
      """)

  @Flag(help: "Print the findings as JSON.")
  var json = false

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let findings = try await EngineAssembly.withStore(common.settings) { try await $0.auditLedger() }
    if json {
      try Console.printJSON(Report(sound: findings.isEmpty, findings: findings))
    } else if findings.isEmpty {
      print("The ledger of credits is whole.")
    } else {
      for finding in findings { print(finding) }
      Console.error("atelier: The ledger of credits is not whole. Run `atelier doctor` to see what to do.\n")
    }
    if !findings.isEmpty { throw ExitCode(1) }
  }

  struct Report: Codable, Sendable {
    var sound: Bool
    /// A sentence each.
    var findings: [String]
  }
}
