import ArgumentParser
import AtelierClient
import CProcess
import Glibc
import Localization
import POSIX
import WebHost

/// The command line of the web host.
@main
struct AtelierWebCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "atelier-web",
    abstract: "Shows Atelier's pages in a browser, on this machine.",
    discussion: """
      The first line of output is the link that lets one browser in. SIGTERM ends the host; what is being made goes on.
      """,
    version: Version.current)

  @Option(help: "The port on this machine. By default the one of the last start, or any that is free.")
  var port: Int?

  @Flag(name: .customLong("no-browser"), help: "Do not open the browser.")
  var noBrowser = false

  @Option(name: .customLong("atelier"), help: "The executable of the service. By default $ATELIER, or atelier on the PATH.")
  var atelier: String?

  @Option(name: .customLong("data-dir"), help: "The folder of history and pictures. By default the service's own.")
  var dataDirectory: String?

  func run() async throws {
    var options = HostOptions(stateDirectory: Self.stateDirectory(dataDirectory))
    options.port = port
    options.service.service = .executable(atelier)
    options.service.dataDirectory = dataDirectory
    options.service.restart = true
    options.service.clientInfo = Initialize.ClientInfo(name: "atelier-web", version: Version.current)
    let log = StandardError()
    options.service.log = { log.write($0) }
    options.language = Self.language
    let host = WebHost(options, Surroundings(now: Self.now, random: Self.random))

    let serving = Task {
      try await host.run { link in
        StandardOutput.shared.write("\(link)\n")
        StandardOutput.shared.flush()
      }
    }
    try TerminationSignals.watch { _ in
      // Whatever hangs, the process ends in time.
      try? TerminationSignals.endProcess(inMilliseconds: 1800, status: 0)
      serving.cancel()
    }
    let outcome = await serving.result
    await host.close()
    do { try outcome.get() } catch is CancellationError {}
  }

  private static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  private static func random(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  private static var language: Language {
    for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
      if let value = ProcessEnvironment.value(of: name), let language = Language(preferred: value) { return language }
    }
    return .english
  }

  private static func stateDirectory(_ dataDirectory: String?) -> String {
    if let dataDirectory { return ProcessEnvironment.absolute(dataDirectory) + "/web" }
    let home = ProcessEnvironment.value(of: "HOME") ?? "/"
    return (ProcessEnvironment.value(of: "XDG_STATE_HOME") ?? "\(home)/.local/state") + "/atelier-web"
  }
}
