import ArgumentParser

/// `atelier account`: who accounts are to the service, for the operator.
struct AccountCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account",
    abstract: "Change what an account is to the service.",
    discussion: """
        atelier account set anna --tier premium
        atelier account set anna --unlimited
      """,
    subcommands: [AccountSetCommand.self])
}
