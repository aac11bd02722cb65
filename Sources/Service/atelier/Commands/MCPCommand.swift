import ArgumentParser
import AtelierProtocol
import Glibc
import MCP

/// `atelier mcp`: serves AI assistants on the standard streams.
struct MCPCommand: AsyncParsableCommand {
  static let name = "mcp"
  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Serve AI assistants: the Model Context Protocol on standard input and output.",
    discussion: """
      With the name of a host, claude, cursor, vscode, gemini or codex, --config prints what belongs into its configuration:

        atelier mcp --config claude
      """)

  @Option(help: ArgumentHelp(
    "How long a tool waits for its pictures before it answers that the work goes on.", valueName: "seconds"))
  var wait: Int = Int(MCPSettings().waitMs) / 1_000

  @Option(help: ArgumentHelp("Ask the person before a request that costs more than this.", valueName: "credits"))
  var askAbove: Int = MCPSettings().askAboveCredits

  @Option(help: "The account that the pictures belong to.")
  var account: String = AccountID.owner.rawValue

  @Flag(
    inversion: .prefixedNo,
    help: "Exit when the parent process exits, after what was begun, even if another process holds the input open.")
  var watchParent = true

  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard (0...3_600).contains(wait) else { throw ValidationError("--wait must be from 0 to 3600 seconds.") }
    guard askAbove >= 0 else { throw ValidationError("--ask-above must not be negative.") }
    guard (1...AccountID.maximumLength).contains(account.unicodeScalars.count),
      account != AccountID.everybody.rawValue
    else {
      throw ValidationError("--account must be of 1 to \(AccountID.maximumLength) characters, and not *.")
    }
  }

  func run() async throws {
    if let host = common.config.flatMap(MCPHostConfiguration.init) {
      print(host.text(command: Self.executable, arguments: Self.argumentsToKeep, environment: Self.environmentToKeep))
      return
    }
    var settings = MCPSettings()
    settings.account = AccountID(rawValue: account)
    settings.waitMs = Int64(wait) * 1_000
    settings.askAboveCredits = askAbove
    try await StdioService(common: common.settings).serveMCP(settings, watchingParent: watchParent)
  }

  /// The path of this program: a host has a `PATH` of its own.
  private static var executable: String {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    // `readlink` writes no more than the count it is given.
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    return String(validating: buffer.prefix(max(0, count)), as: UTF8.self).flatMap { $0.isEmpty ? nil : $0 } ?? "atelier"
  }

  /// The arguments of this command without the one that asks for the configuration.
  private static var argumentsToKeep: [String] {
    var arguments = CommandLine.arguments.dropFirst().filter { !$0.hasPrefix("--config=") }
    while let position = arguments.firstIndex(of: "--config") {
      arguments.removeSubrange(position...min(position + 1, arguments.count - 1))
    }
    return arguments
  }

  /// The variables of the shell that a host does not pass on; never a key.
  private static var environmentToKeep: [(String, String)] {
    ["ATELIER_CONFIG", "ATELIER_DATA_DIR"].compactMap { name in Environment.value(of: name).map { (name, $0) } }
  }
}
