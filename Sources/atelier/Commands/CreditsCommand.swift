import ArgumentParser
import AtelierProtocol
import Store

/// `atelier credits`: what accounts have to spend, for the operator.
struct CreditsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "credits",
    abstract: "Give, take back, show and audit the credits of accounts.",
    discussion: """
        atelier credits grant --account anna --amount 8 --reason "sorry for the outage" --key ticket-12
        atelier credits show --account anna
        atelier credits audit
      """,
    subcommands: [
      CreditsGrantCommand.self, CreditsRevokeCommand.self, CreditsShowCommand.self, CreditsHistoryCommand.self,
      CreditsAuditCommand.self,
    ])
}
