import AtelierProtocol

extension Studio {
  /// How to reach a service, and what to tell it. Everything has a default.
  public struct Options: Sendable {
    /// Which service.
    public enum Service: Sendable, Equatable {
      /// One that is started: this executable, by default `$ATELIER`, otherwise `atelier` on the `PATH`.
      case executable(String? = nil)
      /// One that is started by a command, such as `["ssh", "studio", "atelier"]`: the program, then its arguments. What
      /// the other options say to `atelier serve` is put behind them.
      case command([String])
      /// One that is there already, at a pair of open descriptors: pipes, or one socket twice. The client closes them.
      case descriptors(input: Int32, output: Int32)
      /// One that listens at the path of a Unix socket, for programs that cannot start another one.
      case socket(String)
    }

    /// Which service. Of one that this program does not start, the operator has chosen what `dataDirectory`, `config`,
    /// `confined`, `trusted`, `multiAccount`, `arguments` and `environment` say: they are ignored.
    public var service = Service.executable()
    /// The folder of history and pictures (`--data-dir`); by default the service's own choice.
    public var dataDirectory: String?
    /// The configuration file (`--config`); by default `$ATELIER_CONFIG`, if it is set.
    public var config: String?
    /// The account that this connection acts for. It confines the connection: other accounts are refused.
    public var account: AccountID?
    /// Limits this program's files to the folders in `access` of the configuration, and forbids it to use API keys
    /// (`--confined`).
    public var confined = false
    /// Allows `CreditsGrant`, `CreditsRevoke` and `AccountSet` (`--trusted`).
    public var trusted = false
    /// Refuses requests that name no account (`--multi-account`).
    public var multiAccount = false
    /// Further options of `atelier serve`.
    public var arguments: [String] = []
    /// Variables of the service's environment, on top of this program's own.
    public var environment: [String: String] = [:]
    /// The language of texts for people: a language tag or an `Accept-Language` header. Ignored by a service that does not
    /// know it.
    public var locale: String?
    /// Starts a new service with the next request after the connection was lost. What was in flight fails nevertheless.
    public var restart = false
    /// Whether a service that this program has started ends with it at once, also if it is killed. If not, it finishes the
    /// detached generations first, and then ends.
    public var endsWithProgram = true
    /// The notifications that the service does not send, such as `ProviderChanged.method`.
    public var mute: [String] = []
    /// Looks places up for the recipe `places`: returns those that fit, best first. It has ten seconds, and is cancelled
    /// when the answer is no longer wanted.
    public var locationSearch: (@Sendable (LocationSearch) async throws -> [FoundPlace])?
    /// Called with each line of the service's log, on a thread of its own.
    public var log: (@Sendable (String) -> Void)?
    /// The name of this program, for the service's log.
    public var clientInfo = Initialize.ClientInfo(name: "atelier-swift", version: Version.current)
    /// Until then, the service must have answered for the first time.
    public var startLimit = Duration.seconds(30)
    /// After that long, a service that does not end by itself is terminated.
    public var closeLimit = Duration.seconds(10)
    /// After that long, a service that was terminated is killed; it settles what is running within 2 s.
    public var terminationLimit = Duration.seconds(5)

    public init() {}

    /// - Parameter dataDirectory: as the member of that name; the others stay at their defaults.
    public init(dataDirectory: String?) { self.dataDirectory = dataDirectory }
  }
}

extension Studio.Options {
  /// The command that starts the service; nil for a service that is there already.
  func command() throws(AtelierError) -> [String]? {
    switch service {
    case .executable(let executable): return [try ExecutableSearch.path(of: executable)] + serveArguments
    case .command(let command):
      guard let program = command.first else {
        throw AtelierError(.executableNotFound, "The command to start Atelier with is empty. Name the executable in it.")
      }
      return [try ExecutableSearch.path(of: program)] + command.dropFirst() + serveArguments
    case .descriptors, .socket: return nil
    }
  }

  private var serveArguments: [String] {
    var arguments = ["serve"]
    if let dataDirectory { arguments += ["--data-dir", dataDirectory] }
    if let config { arguments += ["--config", config] }
    for (option, isOn) in [("--confined", confined), ("--trusted", trusted), ("--multi-account", multiAccount)] where isOn {
      arguments.append(option)
    }
    return arguments + self.arguments
  }

  /// What the service is told first.
  func greeting(processID: Int32) -> Initialize {
    var greeting = Initialize(
      clientInfo: clientInfo, protocolVersion: ProtocolVersion.current, account: account, locale: locale)
    // A command, or whoever accepts a socket, may run the service elsewhere, where this number means another process.
    if case .executable = service, endsWithProgram { greeting.processId = processID }
    if !mute.isEmpty || locationSearch != nil {
      greeting.capabilities = Initialize.Capabilities(
        mute: mute.isEmpty ? nil : mute, locationSearch: locationSearch == nil ? nil : true)
    }
    return greeting
  }
}
