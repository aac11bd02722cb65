import ArgumentParser
import AtelierProtocol
import Glibc
import Imaging
import JSON
import POSIX

/// `atelier config`: the configuration file.
struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Show, change and check the configuration file.",
    discussion: """
      The file is the one that --config or ATELIER_CONFIG names; without either, all defaults apply. A service reads it
      once, when it starts. API keys are not in it: see `atelier credentials`.

        atelier config path
        atelier config get queue.attempts
        atelier config set queue.attempts 5
        atelier config check
      """,
    subcommands: [ConfigGetCommand.self, ConfigSetCommand.self, ConfigPathCommand.self, ConfigCheckCommand.self])

  /// The path of the file that the options or the environment name.
  static func path(_ settings: CommonSettings) throws -> String? {
    try settings.config ?? ForeignText.path(inVariable: "ATELIER_CONFIG")
  }

  /// - Throws: wrong usage when none is named.
  static func namedPath(_ settings: CommonSettings) throws -> String {
    guard let path = try path(settings) else {
      throw ValidationError("No configuration file is named. Name one with --config or ATELIER_CONFIG.")
    }
    return path
  }

  /// The file's text as it stands.
  /// - Throws: `CommandFailure` when it cannot be read.
  static func bytes(of path: String) async throws -> [UInt8] {
    do {
      return try await ConfigurationSource.bytes(of: path)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// - Throws: wrong usage for a path with nothing between two dots.
  static func checkKey(_ key: String) throws {
    guard !key.split(separator: ".", omittingEmptySubsequences: false).contains(where: \.isEmpty) else {
      throw ValidationError("“\(key)” is no path of a member, such as queue.attempts.")
    }
  }
}

/// `atelier config path`: which file it is.
struct ConfigPathCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "path",
    abstract: "Print the path of the configuration file in use.",
    discussion: """
      Ends with 1 if none is named.

        atelier config path
      """)

  @OptionGroup var common: CommonOptions

  func run() throws {
    guard let path = try ConfigCommand.path(common.settings) else {
      throw CommandFailure(
        sentence: "No configuration file is in use, and all defaults apply. --config names one, or else ATELIER_CONFIG; it "
          + "is looked for nowhere else.")
    }
    // Where it would be made is told as well.
    print(path)
    if access(path, F_OK) != 0 { Console.tell("There is no file there yet; `atelier config set` makes it.") }
  }
}

/// `atelier config check`: whether a service would start with it.
struct ConfigCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check the configuration file, as `atelier doctor` does.",
    discussion: """
      Says what is wrong with its line and column, and ends with 1.

        atelier config check
        atelier config check --config atelier.json
      """)

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let path = try ConfigCommand.namedPath(common.settings)
    do {
      try await ConfigurationSource(path: path).check()
    } catch {
      throw CommandFailure(error)
    }
    print("\(path) can be used.")
  }
}

/// `atelier config get`: what the file says.
struct ConfigGetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Print the configuration file, or one of its members.",
    discussion: """
      A text is printed as it is, everything else as JSON. Ends with 1 if the file does not have the member, whose default
      then applies.

        atelier config get
        atelier config get providers.order
        atelier config get credits.products.0.id
      """)

  @Argument(help: "The path of the member, with dots; by default the whole file.")
  var key: String?

  @OptionGroup var common: CommonOptions

  func validate() throws { try key.map(ConfigCommand.checkKey) }

  func run() async throws {
    let path = try ConfigCommand.namedPath(common.settings)
    let document = try ConfigurationDocument(try await ConfigCommand.bytes(of: path), path: path)
    guard let key else { return print(document.value.indentedText) }
    guard let value = document.value(at: key) else {
      throw CommandFailure(sentence: "\(path.onOneLine) has no \(key.onOneLine): its default applies.")
    }
    print(value.string ?? value.indentedText)
  }
}

/// `atelier config set`: changes one member.
struct ConfigSetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Set a member of the configuration file.",
    discussion: """
      The value is JSON if it can be read as that, otherwise a text. The other members keep their values and their order.
      What a service could not use is refused, and the file stays as it is. A file that is not there is made.

        atelier config set historyDays 365
        atelier config set providers.order '["ondevice", "openai"]'
        atelier config set providers.openai.baseUrl http://127.0.0.1:8080/v1
      """)

  @Argument(help: "The path of the member, with dots.")
  var key: String

  @Argument(help: "The value.")
  var value: String

  @OptionGroup var common: CommonOptions

  func validate() throws { try ConfigCommand.checkKey(key) }

  func run() async throws {
    let path = try ConfigCommand.namedPath(common.settings)
    let isThere = access(path, F_OK) == 0
    var document = isThere
      ? try ConfigurationDocument(try await ConfigCommand.bytes(of: path), path: path) : ConfigurationDocument()
    try document.set((try? JSONValue(parsing: Array(value.utf8))) ?? .string(value), at: key)
    do {
      try await ConfigurationSource(document.bytes, path: path).check()
    } catch let failure as ConfigurationFailure {
      // The line is that of a text which is not written.
      throw CommandFailure(sentence: "Nothing was changed. \(failure.reason)", status: CommandFailure.wrongUsage)
    }
    try ChangedFile.replace(path, with: document.bytes)
    print("\(key) is \(document.value(at: key)?.serializedText ?? "") in \(path).")
  }
}
