import ArgumentParser

/// What every command takes.
struct CommonOptions: ParsableArguments {
  @Option(
    name: .customLong("data-dir"), help: "Where history and pictures are kept (ATELIER_DATA_DIR).",
    completion: .directory)
  var dataDirectory: String?

  @Option(help: "The configuration file, JSON (ATELIER_CONFIG).", completion: .file(extensions: ["json"]))
  var config: String?

  @Option(
    help: "What is logged to standard error: trace, debug, info, notice, warning, error, critical (ATELIER_LOG_LEVEL).",
    completion: .list(["trace", "debug", "info", "notice", "warning", "error", "critical"]))
  var logLevel: LogLevel?
}
