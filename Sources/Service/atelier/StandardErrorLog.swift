import AtelierProtocol
import JSON
import Logging
import POSIX

/// The form of the log's lines.
enum LogFormat: String, CaseIterable, Sendable {
  /// For people: `atelier info: Answered account=owner durationMs=12 method=history`.
  case text
  /// For programs: an object in each line, with `time`, `level`, `message` and the facts.
  case json
}

/// A log on standard error that never waits for its reader.
struct StandardErrorLog: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level
  private let format: LogFormat
  private let now: @Sendable () -> Timestamp
  private static let output = StandardError()

  /// A logger with the level from the command line; otherwise from the environment, otherwise warnings and above.
  static func logger(_ settings: CommonSettings) -> Logger {
    let named = Environment.value(of: "ATELIER_LOG_LEVEL").flatMap(LogLevel.init(argument:))
    let chosen = (settings.logLevel ?? named)?.level ?? .warning
    return Logger(label: "atelier") { _ in
      StandardErrorLog(logLevel: chosen, format: settings.logFormat, now: EngineAssembly.now)
    }
  }

  init(logLevel: Logger.Level, format: LogFormat, now: @escaping @Sendable () -> Timestamp) {
    self.logLevel = logLevel
    self.format = format
    self.now = now
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let facts = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
      .map { (name: $0.key, value: "\($0.value)") }
    Self.output.write(line(level: event.level, message: "\(event.message)", facts: facts))
  }

  /// The line without its end. Whatever a host sent, it is one line.
  func line(level: Logger.Level, message: String, facts: [(name: String, value: String)]) -> String {
    switch format {
    case .text:
      return "atelier \(level): \(message)" + facts.map { " \($0.name)=\(Self.plain($0.value))" }.joined()
    case .json:
      let line = json(level, message, facts, longest: Self.longestValue)
      // Half an object is none. A code point takes at most six bytes.
      return line.utf8.count < StandardError.maximumLineBytes ? line : json(level, message, facts, longest: 80)
    }
  }

  /// The length of a value beyond which it is cut, in Unicode code points; names of accounts and methods are shorter.
  private static let longestValue = 400

  private func json(
    _ level: Logger.Level, _ message: String, _ facts: [(name: String, value: String)], longest: Int
  ) -> String {
    var object: JSONObject = [
      "time": .string(now().text), "level": .string(level.rawValue),
      "message": .string(Self.shortened(message, to: longest)),
    ]
    for (name, value) in facts {
      // A duration is a number, which a program adds up; an account stays a string, even if it consists of digits.
      let number = name.hasSuffix("Ms") ? Int64(value).map { JSONValue.number(JSONNumber($0)) } : nil
      object[name] = number ?? .string(Self.shortened(value, to: longest))
    }
    return JSONValue.object(object).serializedText
  }

  /// A value that could be taken for something else, as one with a space, is written in quotes.
  private static func plain(_ value: String) -> String {
    let isPlain = !value.isEmpty && value.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value < 0x7f && $0 != "\"" }
    return isPlain ? value : JSONValue.string(shortened(value, to: longestValue)).serializedText
  }

  private static func shortened(_ text: String, to count: Int) -> String {
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: count, limitedBy: scalars.endIndex), end < scalars.endIndex
    else { return text }
    return String(String.UnicodeScalarView(scalars[..<end])) + "…"
  }
}
