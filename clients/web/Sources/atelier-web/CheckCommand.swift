import ArgumentParser
import AtelierClient
import POSIX
import WebHost

/// Checks the configuration file.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Checks the configuration file.",
    discussion: "Says what is wrong with its line and column, and ends with 1.")

  @Option(help: "The configuration file. By default $ATELIER_WEB_CONFIG.")
  var config: String?

  @Flag(name: .customLong("public"), help: "Check what the public way needs as well.")
  var isPublic = false

  func run() async throws {
    guard let path = config ?? ProcessEnvironment.value(of: "ATELIER_WEB_CONFIG") else {
      StandardOutput.shared.write("There is no configuration file: everything has its default.\n")
      return StandardOutput.shared.flush()
    }
    var options = HostOptions(stateDirectory: "")
    do {
      try options.read(path, isPublic: isPublic)
      try await options.checkService()
    } catch let error as ConfigurationFailure {
      StandardError().write(error.sentence)
      throw ExitCode.failure
    } catch let error as AtelierError {
      StandardError().write("The service cannot be asked: \(error.forOperators)")
      throw ExitCode.failure
    }
    StandardOutput.shared.write("\(path) can be used.\n")
    StandardOutput.shared.flush()
  }
}
