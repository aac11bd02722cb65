import ArgumentParser
import AtelierProtocol
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

/// The environment variables that Atelier reads; an empty one counts as absent.
enum Environment {
  static func value(of name: String) -> String? {
    // The text is copied at once; nothing in this process changes the environment.
    guard let text = getenv(name) else { return nil }
    let value = String(cString: text)
    return value.isEmpty ? nil : value
  }

  /// Whether debuggers and other programs of the user may read the memory of Atelier, which holds API keys.
  static var allowsDebugger: Bool { value(of: "ATELIER_ALLOW_DEBUGGER") == "1" }

  /// `--data-dir`'s default: `$ATELIER_DATA_DIR`, else `$XDG_DATA_HOME/atelier`, else `~/.local/share/atelier`.
  /// - Throws: `CommandFailure` when the one that counts is not UTF-8.
  static func dataDirectory() throws -> String? {
    if let directory = try ForeignText.path(inVariable: "ATELIER_DATA_DIR") { return directory }
    if let base = try ForeignText.path(inVariable: "XDG_DATA_HOME"), base.hasPrefix("/") { return base + "/atelier" }
    return try ForeignText.path(inVariable: "HOME").map { $0 + "/.local/share/atelier" }
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

/// What an operator names on the command line: the same rules for every command.
enum OperatorInput {
  /// - Throws: wrong usage.
  static func checkAccount(_ name: String) throws {
    guard (1...AccountID.maximumLength).contains(name.unicodeScalars.count) else {
      throw ValidationError("An account is named by 1 to \(AccountID.maximumLength) characters.")
    }
    guard AccountID(rawValue: name) != .everybody else {
      throw ValidationError("* stands for every account and is none itself. Name one.")
    }
  }

  /// - Throws: wrong usage, also for the machine's own account, which has no credits.
  static func meteredAccount(_ name: String) throws -> AccountID {
    try checkAccount(name)
    guard AccountID(rawValue: name) != .owner else {
      throw ValidationError(
        "owner is this machine's own account: nothing is counted for it, so it has no credits and no tier to change. "
          + "Name the account of somebody your host serves.")
    }
    return AccountID(rawValue: name)
  }

  static func checkAmount(_ amount: Int) throws {
    guard CreditAmount.allows(amount) else {
      throw ValidationError("--amount must be from 1 to \(CreditAmount.range.upperBound) credits.")
    }
  }

  static func checkReason(_ reason: String) throws {
    guard CreditReason.allows(reason) else {
      throw ValidationError(
        "--reason must say why, in 1 to \(CreditReason.maximum) characters: it is kept with the credits.")
    }
  }

  static func checkKey(_ key: String?) throws {
    guard key.map(IdempotencyKeyLength.allows) ?? true else {
      throw ValidationError("--key must be of 1 to \(IdempotencyKeyLength.maximum) characters.")
    }
  }

  /// - Throws: wrong usage.
  static func time(_ text: String) throws -> Timestamp {
    guard let time = Timestamp(text) else {
      throw ValidationError("“\(text)” is not a time such as 2026-11-01T00:00:00Z.")
    }
    return time
  }

  /// - Throws: wrong usage, for a tier that cannot be assigned.
  static func tier(_ name: String) throws -> Tier {
    if name == Tier.owner.rawValue {
      throw ValidationError("Only the machine's own account is its owner. Choose guest, free or premium.")
    }
    guard let tier = Tier(rawValue: name) else { throw ValidationError("--tier must be guest, free or premium.") }
    return tier
  }
}
