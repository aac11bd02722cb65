import ArgumentParser
import AtelierProtocol
import JSONRPC
import Server

/// `atelier serve`: speaks the protocol on the standard streams.
struct ServeCommand: AsyncParsableCommand {
  static let name = "serve"
  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Serve the protocol on standard input and output (the default).",
    discussion: """
      Answers JSON-RPC 2.0 requests, in the framing of the input: one message per line, or Content-Length headers.

        printf '{"jsonrpc":"2.0","id":1,"method":"status"}\\n' | atelier | jq .result.providers
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var serve: ServeOptions

  func run() async throws {
    var common = common.settings
    common.logFormat = serve.logFormat
    try await StdioService(common: common, serve: serve.settings).run()
  }
}

/// The options of the protocol.
struct ServeOptions: ParsableArguments {
  enum FramingOption: String, ExpressibleByArgument, CaseIterable, Sendable {
    case ndjson, headers
  }

  @Option(help: "The framing: ndjson (one message per line) or headers (Content-Length). By default it is detected.")
  var framing: FramingOption?

  @Option(help: ArgumentHelp("The largest message accepted, in bytes.", valueName: "bytes"))
  var maxMessageBytes: Int = ConnectionLimits().maximumMessageBytes

  @Option(help: ArgumentHelp("The most requests in flight at once.", valueName: "count"))
  var maxInFlight: Int = ConnectionLimits().maximumInFlight

  @Option(help: ArgumentHelp("How long work may continue after the end of the input.", valueName: "seconds"))
  var drainTimeout: Int = 120

  @Flag(help: "Exit when the parent process exits.")
  var watchParent = false

  @Option(help: "The account that the connection acts for; implies --confined. By default the host names it.")
  var account: String?

  @Flag(help: "Limit the host's files to the folders in access of the configuration; it may not use API keys.")
  var confined = false

  @Flag(help: "Let the host grant and revoke credits, and set tiers. Not with --account or --confined.")
  var trusted = false

  @Flag(
    help: """
      The host passes on its customers' names: refuse owner, also by default, and *, and let no account exist by being \
      read about.
      """)
  var multiAccount = false

  @Option(help: "Write the messages to this file, without texts that could be secrets.", completion: .file())
  var trace: String?

  @Option(
    help: "The form of the log: text, or json for one object in each line. From the level info on, it has each request.")
  var logFormat: LogFormat = .text

  func validate() throws {
    if let account { try OperatorInput.checkAccount(account) }
    guard !multiAccount || account != AccountID.owner.rawValue else {
      throw ValidationError("--account owner cannot be used with --multi-account: it is this machine's own account.")
    }
    guard !trusted || account == nil && !confined else {
      throw ValidationError("--trusted cannot be used with --account or --confined: a confined host may not change credits.")
    }
    guard maxMessageBytes >= 1024 else { throw ValidationError("--max-message-bytes must be at least 1024.") }
    guard maxInFlight >= 1 else { throw ValidationError("--max-in-flight must be at least 1.") }
    guard (0...86_400).contains(drainTimeout) else {
      throw ValidationError("--drain-timeout must be from 0 to 86400 seconds.")
    }
  }
}

extension LogFormat: ExpressibleByArgument {}

/// The resolved values of ``ServeOptions``.
struct ServeSettings: Sendable {
  var framing = FramingChoice.automatic
  var limits = ConnectionLimits()
  var watchParent = false
  var rights = ConnectionRights()
  /// The file for the message trace.
  var trace: String?
}

extension ServeOptions {
  var settings: ServeSettings {
    var limits = ConnectionLimits()
    limits.maximumMessageBytes = maxMessageBytes
    limits.maximumInFlight = maxInFlight
    limits.drainTimeout = .seconds(drainTimeout)
    let choice: FramingChoice =
      switch framing {
      case nil: .automatic
      case .ndjson: .fixed(.lines)
      case .headers: .fixed(.headers)
      }
    return ServeSettings(
      framing: choice, limits: limits, watchParent: watchParent,
      rights: ConnectionRights(
        account: account.map { AccountID(rawValue: $0) }, isConfined: confined, isTrusted: trusted,
        servesManyAccounts: multiAccount),
      trace: trace)
  }
}
