import ArgumentParser
import AtelierClient
import CProcess
import CommandArguments
import WebHost

/// The command line of the web host.
@main
struct AtelierWebCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "atelier-web",
    abstract: "Shows Atelier's pages in a browser.",
    version: Version.current, subcommands: [ServeCommand.self, CheckCommand.self], defaultSubcommand: ServeCommand.self)

  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    // What a shell asks for to complete a word.
    if arguments.first?.hasPrefix("---") == true { return await main(arguments) }
    do {
      var command = try CommandArguments.parse(arguments, as: Self.self)
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch {
      exit(withError: error)
    }
  }
}
