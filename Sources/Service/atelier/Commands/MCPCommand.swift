import ArgumentParser
import AtelierProtocol
import MCP

/// `atelier mcp`: what AI assistants need.
struct MCPCommand: AsyncParsableCommand {
  static let name = "mcp"
  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Serve AI assistants over the Model Context Protocol, and set them up.",
    discussion: """
      Without a subcommand, it serves the protocol on standard input and output.

        atelier mcp
        atelier mcp config
        atelier mcp config cursor --write
      """,
    subcommands: [MCPServeCommand.self, MCPConfigCommand.self],
    defaultSubcommand: MCPServeCommand.self)
}

/// `atelier mcp serve`: speaks MCP on the standard streams.
struct MCPServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve AI assistants: the Model Context Protocol on standard input and output (the default).",
    discussion: """
        atelier mcp serve --wait 20
        atelier mcp --account anna
      """)

  @OptionGroup var options: MCPOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    try await StdioService(common: common.settings).serveMCP(options.settings, watchingParent: options.watchParent)
  }
}

/// The options of a server for AI assistants.
struct MCPOptions: ParsableArguments {
  private static let standard = MCPSettings()

  @Option(help: ArgumentHelp(
    "How long a tool waits for its pictures before it answers that the work goes on.", valueName: "seconds"))
  var wait: Int = Int(MCPOptions.standard.waitMs) / 1_000

  @Option(help: ArgumentHelp("Ask the person before a request that costs more than this.", valueName: "credits"))
  var askAbove: Int = MCPOptions.standard.askAboveCredits

  @Option(help: "The account that the pictures belong to.")
  var account: String = AccountID.owner.rawValue

  @Flag(
    inversion: .prefixedNo,
    help: "Put small previews into the answers. Without them, for hosts that turn the data of a picture into text.")
  var pictures = true

  @Flag(
    inversion: .prefixedNo,
    help: "Exit when the parent process exits, after what was begun, even if another process holds the input open.")
  var watchParent = true

  func validate() throws {
    guard (0...3_600).contains(wait) else { throw ValidationError("--wait must be from 0 to 3600 seconds.") }
    guard askAbove >= 0 else { throw ValidationError("--ask-above must not be negative.") }
    try OperatorInput.checkAccount(account)
  }

  var settings: MCPSettings {
    var settings = MCPSettings()
    settings.account = AccountID(rawValue: account)
    settings.waitMs = Int64(wait) * 1_000
    settings.askAboveCredits = askAbove
    settings.showsPictures = pictures
    return settings
  }

  /// The arguments that give these options, without those that are the default.
  var arguments: [String] {
    let standard = MCPOptions.standard
    var arguments: [String] = []
    if wait != Int(standard.waitMs) / 1_000 { arguments += ["--wait", "\(wait)"] }
    if askAbove != standard.askAboveCredits { arguments += ["--ask-above", "\(askAbove)"] }
    if account != AccountID.owner.rawValue { arguments += ["--account", account] }
    if !pictures { arguments.append("--no-pictures") }
    if !watchParent { arguments.append("--no-watch-parent") }
    return arguments
  }
}
