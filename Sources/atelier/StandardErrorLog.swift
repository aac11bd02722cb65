import JSONRPC
import Logging

/// A log on standard error that never waits for its reader (PROTOCOL 1).
struct StandardErrorLog: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level
  private static let output = StandardError()

  /// - Parameter level: from the command line; else from the environment, else warnings and worse.
  static func logger(level: LogLevel?) -> Logger {
    let named = Environment.value(of: "ATELIER_LOG_LEVEL").flatMap(LogLevel.init(argument:))
    let chosen = (level ?? named)?.level ?? .warning
    return Logger(label: "atelier") { _ in StandardErrorLog(logLevel: chosen) }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let details = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
      .map { " \($0.key)=\($0.value)" }.joined()
    Self.output.write("atelier \(event.level): \(event.message)\(details)")
  }
}
