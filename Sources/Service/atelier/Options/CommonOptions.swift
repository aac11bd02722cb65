import ArgumentParser
import Glibc
import Logging

/// The options of every command.
struct CommonOptions: ParsableArguments {
  @Option(
    name: .customLong("data-dir"), help: "The directory of history and pictures (ATELIER_DATA_DIR).",
    completion: .directory)
  var dataDirectory: String?

  @Option(help: "The configuration file, in JSON (ATELIER_CONFIG).", completion: .file(extensions: ["json"]))
  var config: String?

  @Option(
    help: """
      The least severe level logged to standard error: trace, debug, info, notice, warning, error, critical \
      (ATELIER_LOG_LEVEL).
      """,
    completion: .list(["trace", "debug", "info", "notice", "warning", "error", "critical"]))
  var logLevel: LogLevel?
}

/// The resolved values of ``CommonOptions``; the environment supplies missing ones.
struct CommonSettings: Sendable {
  var dataDirectory: String?
  var config: String?
  var logLevel: LogLevel?
  var logFormat = LogFormat.text
}

extension CommonOptions {
  var settings: CommonSettings {
    CommonSettings(dataDirectory: dataDirectory, config: config, logLevel: logLevel)
  }
}

/// The log level, with swift-log's names.
struct LogLevel: ExpressibleByArgument, Sendable {
  var level: Logger.Level

  init?(argument: String) {
    guard let level = Logger.Level(rawValue: argument.lowercased()) else { return nil }
    self.level = level
  }
}
