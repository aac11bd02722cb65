import ArgumentParser
import AtelierClient
import Glibc
import Localization
import NIOCore
import POSIX
import WebHost

/// Serves the pages, and starts the service.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serves the pages: to one person at this machine, or with --public to many.",
    discussion: """
      The first line of output is the address: in the personal way, a link that lets one browser in. SIGTERM ends the host;
      what is being made goes on.
      """)

  /// SIGTERM ends the host within two seconds, whatever hangs.
  private static let endLimitMs = 1800

  /// So long, what is in flight may take to be answered.
  private static let drainLimit = Duration.milliseconds(1300)

  @Option(help: "The port on this machine. By default the one of the last start, or any that is free.")
  var port: Int?

  @Flag(name: .customLong("no-browser"), help: "Do not open the browser.")
  var noBrowser = false

  @Option(name: .customLong("atelier"), help: "The executable of the service. By default $ATELIER, or atelier on the PATH.")
  var atelier: String?

  @Option(name: .customLong("data-dir"), help: "The folder of history and pictures. By default the service's own.")
  var dataDirectory: String?

  @Option(help: "The configuration file. By default $ATELIER_WEB_CONFIG.")
  var config: String?

  @Flag(name: .customLong("public"), help: "Serve many people, behind a reverse proxy, as the configuration says.")
  var isPublic = false

  @Option(help: "Serve the pages of this folder, for those who change them.")
  var pages: String?

  func validate() throws {
    if let port, !(0...65535).contains(port) { throw ValidationError("The port must be from 0 to 65535.") }
  }

  func run() async throws {
    OpenFileLimit.raise()
    let options = try options()
    let log = StandardError()
    for problem in options.places?.problems ?? [] { log.write(problem) }
    let surroundings = Surroundings(now: Self.now, random: Self.random, openFiles: Self.openFiles)
    let host = WebHost(options, surroundings)
    let opensBrowser = !noBrowser && !isPublic
    let serving = Task {
      try await host.run { address in
        StandardOutput.shared.write("\(address)\n")
        StandardOutput.shared.flush()
        if opensBrowser { Browser.open(address, by: options.stateDirectory) }
      }
    }
    try TerminationSignals.watch { _ in
      try? TerminationSignals.endProcess(inMilliseconds: Self.endLimitMs, status: 0)
      host.stop()
      Task {
        try? await Task.sleep(for: Self.drainLimit)
        serving.cancel()
      }
    }
    let outcome = await serving.result
    await host.close()
    do {
      try outcome.get()
    } catch is CancellationError {
    } catch {
      log.write("atelier-web: \(Self.sentence(error))")
      throw ExitCode.failure
    }
  }

  private func options() throws -> HostOptions {
    var options = HostOptions(stateDirectory: Self.stateDirectory(dataDirectory))
    options.language = Self.language
    let log = StandardError()
    options.service.log = { log.write($0) }
    options.log = { log.write("atelier-web: \($0)") }
    if let path = config ?? ProcessEnvironment.value(of: "ATELIER_WEB_CONFIG") {
      do throws(ConfigurationFailure) {
        try options.read(path, isPublic: isPublic)
      } catch {
        StandardError().write(error.sentence)
        throw ExitCode.failure
      }
    } else if isPublic {
      StandardError().write("The public way needs a configuration file: name it with --config.")
      throw ExitCode.failure
    }
    options.port = port
    options.pagesDirectory = pages
    if let atelier { options.service.service = .executable(atelier) }
    if let dataDirectory { options.service.dataDirectory = dataDirectory }
    options.service.clientInfo = Initialize.ClientInfo(name: "atelier-web", version: Version.current)
    return options
  }

  private static func sentence(_ error: any Error) -> String {
    switch error {
    case let error as FileFailure: error.sentence
    case let error as AtelierError: error.forOperators
    case let error as ConfigurationFailure: error.sentence
    case let error as IOError where error.errnoCode == EADDRINUSE:
      "Another program listens at this port. Choose another one with --port, or in the configuration."
    case let error as IOError: "It cannot listen: \(String(cString: strerror(error.errnoCode)))."
    default: "\(error)"
    }
  }

  private static var openFiles: Int? { OpenFileLimit.current.map { Int(clamping: $0.rlim_cur) } }

  private static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  private static func random(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  /// That of the desktop.
  private static var language: Language { Language(environment: { ProcessEnvironment.value(of: $0) }) ?? .english }

  private static func stateDirectory(_ dataDirectory: String?) -> String {
    if let dataDirectory { return ProcessEnvironment.absolute(dataDirectory) + "/web" }
    let home = ProcessEnvironment.value(of: "HOME") ?? "/"
    return (ProcessEnvironment.value(of: "XDG_STATE_HOME") ?? "\(home)/.local/state") + "/atelier-web"
  }
}
