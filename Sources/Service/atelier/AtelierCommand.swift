import ArgumentParser
import AtelierProtocol
import CConfinement
import CProcess
import CommandArguments
import Credentials
import Engine
import Glibc
import MCP
import POSIX
import Store

/// The command line. Without a subcommand it serves the protocol.
@main
struct AtelierCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "atelier",
    abstract: "Make AI pictures of people. Programs drive it over JSON-RPC on standard input and output.",
    discussion: """
      Without a subcommand, it serves the protocol on its standard streams:

        echo '{"jsonrpc":"2.0","id":1,"method":"ping"}' | atelier

      For people:

        atelier generate photo.jpg --background casual -o headshot.jpg
        atelier edit photo.jpg --prompt "make the jacket red" -o red.png
        atelier create "a lighthouse at dusk" --directory pictures
        atelier history --since 2d
        atelier show last
        atelier doctor

      --data-dir, --config and --log-level work before and after the command.

      Shell completion: atelier --generate-completion-script bash|zsh|fish
      """,
    version: Version.current,
    subcommands: [
      ServeCommand.self, MCPCommand.self, GenerateCommand.self, EditCommand.self, HairstyleCommand.self,
      CreateCommand.self, PlacesCommand.self, PrepareCommand.self, StatusCommand.self, WatchCommand.self,
      CancelCommand.self, HistoryCommand.self, ShowCommand.self, DeleteCommand.self, ExportCommand.self,
      TemplatesCommand.self, PassportsCommand.self, ModelsCommand.self, ProvidersCommand.self, CredentialsCommand.self,
      CreditsCommand.self, AccountCommand.self, BackupCommand.self, RestoreCommand.self, StoreCommand.self,
      ConfigCommand.self, DoctorCommand.self, MetricsCommand.self, SchemaCommand.self,
    ],
    defaultSubcommand: ServeCommand.self)

  static func main() async {
    // Files created here set the access rights of others explicitly; a umask that removes the owner's rights, as 0177
    // does for folders, would leave a data directory that cannot be entered.
    umask(umask(0) & 0o077)
    OpenFileLimit.raise()
    // Before any secret is read. Where the system refuses it, everything else works.
    if !Environment.allowsDebugger { _ = confinement_hide_memory() }
    do {
      // The runtime loses all arguments when a preloaded library has moved the environment; the command is unknown.
      if CommandLine.argc == 0 {
        throw CommandFailure(sentence: "The arguments cannot be read. Start it without libraries that LD_PRELOAD names.")
      }
      try ForeignText.checkArguments()
      try ProcessLimits.check()
      // A host that starts it without arguments is answered two milliseconds sooner if no options are parsed.
      if CommandLine.argc == 1 { return try await StdioService().run() }
      if CommandLine.argc == 2, CommandLine.arguments[1] == MCPCommand.name {
        return try await StdioService().serveMCP(MCPSettings())
      }
      try StandardStreams.fillClosed()
      // A closed pipe makes the write fail, which is noticed, wherever the process was started.
      signal(SIGPIPE, SIG_IGN)
      let named = try CommandPath(Array(CommandLine.arguments.dropFirst()), of: configuration).arguments
      let arguments = PassportArgument.meant(by: named)
      // Only the values that a shell asks for may have to be looked up.
      let isCompletion = arguments.first?.hasPrefix("---") == true
      var command = try isCompletion ? await asyncParseAsRoot(arguments) : CommandArguments.parse(arguments, as: Self.self)
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      Console.end(status: 0)
    } catch let failure as CommandFailure {
      failure.exit()
    } catch let failure as ConfigurationFailure {
      CommandFailure(failure).exit()
    } catch {
      leave(with: error)
    }
  }

  /// Help and version go to standard output and end with 0; wrong usage ends with 2.
  private static func leave(with error: any Error) -> Never {
    let code = exitCode(for: error)
    let message = fullMessage(for: error, columns: HelpText.unfolded)
    if message.hasPrefix(HelpText.beginning) {
      print(HelpText.folded(message, columns: HelpText.terminalColumns))
    } else if code.isSuccess {
      print(CompletionScript.withTopics(message))
    } else if !message.isEmpty {
      let (sentence, usage) = (message.prefix { $0 != "\n" }, message.drop { $0 != "\n" })
      Console.error(Terminal(STDERR_FILENO).wrapped(CommandWords.sentence(String(sentence))) + usage + "\n")
    }
    Console.end(status: code == .validationFailure ? CommandFailure.wrongUsage : code.rawValue)
  }
}

/// Prints to ``StandardOutput``. It takes the place of Swift's function of this name in all commands: that one does not
/// notice a full disk.
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
  StandardOutput.shared.write(items.map { "\($0)" }.joined(separator: separator) + terminator)
}
