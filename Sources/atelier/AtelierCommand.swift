import ArgumentParser
import AtelierProtocol
import CConfinement
import CMalloc
import Credentials
import Engine
import Glibc
import JSON
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
        atelier history
        atelier doctor

      --data-dir, --config and --log-level work before and after the command.

      Shell completion: atelier --generate-completion-script bash|zsh|fish
      """,
    version: Version.current,
    subcommands: [
      ServeCommand.self, MCPCommand.self, GenerateCommand.self, EditCommand.self, HairstyleCommand.self,
      CreateCommand.self, PlacesCommand.self, PrepareCommand.self, StatusCommand.self, WatchCommand.self,
      CancelCommand.self, HistoryCommand.self, DeleteCommand.self, ExportCommand.self, TemplatesCommand.self,
      ProvidersCommand.self, CredentialsCommand.self, CreditsCommand.self, AccountCommand.self, BackupCommand.self,
      RestoreCommand.self, DoctorCommand.self, MetricsCommand.self, SchemaCommand.self,
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
      var command = try parseAsRoot(
        CommandPath(Array(CommandLine.arguments.dropFirst()), of: configuration).arguments)
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
    let message = fullMessage(for: error)
    if code.isSuccess { print(message) } else if !message.isEmpty { Console.error(message + "\n") }
    Console.end(status: code == .validationFailure ? 2 : code.rawValue)
  }
}

/// Why a command could not do its work: one sentence, and the exit status of the process.
struct CommandFailure: Error {
  var sentence: String
  /// The exit status for an unusable data directory.
  static let dataDirectoryUnusable: Int32 = 3

  /// 1 for failure, ``dataDirectoryUnusable``, or 128 and the number of the signal that cancelled the work.
  var status: Int32
  /// Whether the work was cancelled.
  var isCancelled = false

  init(_ error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let failure as JSONDecodingFailure: (sentence, status) = (failure.message, 1)
    case let failure as ConfigurationFailure: (sentence, status) = (failure.sentence, 1)
    case let error as StoreError: (sentence, status) = (error.sentence, Self.dataDirectoryUnusable)
    case let failure as CredentialFailure:
      (sentence, status) = (failure.sentence, failure.isAboutDirectory ? Self.dataDirectoryUnusable : 1)
    default: (sentence, status) = (AtelierError(wrapping: error).message, 1)
    }
  }

  init(sentence: String, status: Int32 = 1, isCancelled: Bool = false) {
    (self.sentence, self.status, self.isCancelled) = (sentence, status, isCancelled)
  }

  func exit() -> Never {
    Console.error("atelier: \(sentence.onOneLine)\n")
    Console.end(status: status)
  }
}

/// Output for the person at the terminal.
enum Console {
  /// Writes to standard error; errors are ignored if it is closed.
  static func error(_ text: String) {
    try? BlockingIO.write(Array(text.utf8), to: STDERR_FILENO)
  }

  /// Ends the process, once everything printed has been written: with 1 instead of 0 if it could not be.
  static func end(status: Int32) -> Never {
    do throws(SystemError) {
      try StandardOutput.shared.finish()
    } catch {
      // Whoever closed the pipe wants no more.
      if !error.isReaderGone { Console.error("atelier: \(error)\n") }
      Glibc.exit(status == 0 ? 1 : status)
    }
    Glibc.exit(status)
  }

  /// Prints an answer in the format of the protocol.
  static func printJSON(_ answer: some Encodable) throws {
    print(String(decoding: try JSONValueEncoder().encode(answer).serialized(), as: UTF8.self))
  }
}

/// Prints to ``StandardOutput``. It takes the place of Swift's function of this name in all commands: that one does not
/// notice a full disk.
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
  StandardOutput.shared.write(items.map { "\($0)" }.joined(separator: separator) + terminator)
}

/// What this program needs of the system to run at all.
enum ProcessLimits {
  /// For the largest message and the pictures that a few requests hold at once.
  private static let addressSpace: UInt64 = 512 << 20
  /// For the database, the connections of a few requests, and the pipes of a worker.
  private static let files = 34

  /// To be called before any thread starts.
  /// - Throws: `CommandFailure` that says which limit is too low.
  static func check() throws(CommandFailure) {
    if let left = SystemLimits.addressSpaceLeft {
      guard left >= addressSpace else {
        throw CommandFailure(
          sentence: "The limit of address space leaves \(left >> 20) MiB, and Atelier needs \(addressSpace >> 20). "
            + "Raise it (ulimit -v).")
      }
      // The C library would reserve 64 MiB for each thread that allocates, until nothing is left for the database.
      mallopt(M_ARENA_MAX, 1)
    }
    let openable = SystemLimits.allowedFiles(atMost: files)
    guard openable == files else {
      throw CommandFailure(
        sentence: "The system lets this process open only \(openable) more files, and Atelier needs \(files). "
          + "Raise the limit (ulimit -n).")
    }
    // The main thread is there.
    let threads = ThreadBudget.service - 1
    let allowed = SystemLimits.lookAtThreads(plenty: ThreadBudget.plenty)
    do {
      guard allowed >= threads else { throw SystemError(code: EAGAIN, operation: "start a thread") }
      if SystemLimits.areThreadsScarce { try TaskThreads.start() }
    } catch {
      throw CommandFailure(
        sentence: "The system allows only \(min(allowed, threads - 1)) more threads, and Atelier needs \(threads). "
          + "Allow this user more (ulimit -u), or the container more processes, or end other programs.")
    }
  }
}
