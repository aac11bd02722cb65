import ArgumentParser
import AtelierClient
import CProcess
import WebHost

/// The command line of the web host.
@main
struct AtelierWebCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "atelier-web",
    abstract: "Shows Atelier's pages in a browser.",
    version: Version.current, subcommands: [ServeCommand.self, CheckCommand.self], defaultSubcommand: ServeCommand.self)
}
