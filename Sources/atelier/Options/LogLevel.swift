import ArgumentParser
import Logging

/// How much is logged, by swift-log's names.
struct LogLevel: ExpressibleByArgument, Sendable {
  var level: Logger.Level

  init?(argument: String) {
    guard let level = Logger.Level(rawValue: argument.lowercased()) else { return nil }
    self.level = level
  }
}
