import ArgumentParser
import JSON

/// The arguments of a command, as a person means them.
///
/// The parser takes a value that begins with a dash for an option, and calls the value of `--near -33.87,151.21` missing, as
/// it does that of `--account=`. Here, what follows an option with a value is its value, unless it is an option of the same
/// command.
public enum CommandArguments {
  /// Parses the arguments.
  /// - Throws: what the parser throws; `ValidationError` for a value that is empty.
  public static func parse(_ arguments: [String], as root: any ParsableCommand.Type) throws -> any ParsableCommand {
    try parse(arguments, as: root) { KnownOptions.declarations(of: root) }
  }

  /// - Parameter declarations: those of all commands. To look at them takes longer than to parse.
  static func parse(
    _ arguments: [String], as root: any ParsableCommand.Type, _ declarations: () -> JSONValue
  ) throws -> any ParsableCommand {
    let command: any ParsableCommand
    do {
      command = try root.parseAsRoot(arguments)
    } catch {
      let meant = KnownOptions(declarations(), in: arguments).meant(by: arguments)
      guard meant != arguments else { throw error }
      command = try root.parseAsRoot(meant)
    }
    // A command says in its own words what an empty value should be. Those that take any text would take this one as well.
    if arguments.contains(where: { $0.isEmpty || $0.hasPrefix("-") && $0.hasSuffix("=") }),
      let option = KnownOptions(declarations(), in: arguments).emptyOption(in: arguments)
    {
      throw ValidationError("\(option) must not be empty.")
    }
    return command
  }
}

/// The options of the command that some arguments name.
struct KnownOptions {
  /// Those that take a value, each with the name by which a value can be joined to it: the long one, if it has one.
  private var withValue: [String: String] = [:]
  private var withoutValue: Set<String> = ["-h", "--help", "--version"]

  init(_ declarations: JSONValue, in arguments: [String]) {
    var command = declarations
    for word in arguments {
      guard let next = Self.subcommand(word, of: command) else { break }
      command = next
    }
    // Without a word, the options are those of the default command.
    while let implied = command["defaultSubcommand"]?.string, let next = Self.subcommand(implied, of: command) {
      command = next
    }
    for argument in command["arguments"]?.array ?? [] { add(argument) }
  }

  /// The declarations, which the parser tells by an error.
  static func declarations(of root: any ParsableCommand.Type) -> JSONValue {
    do {
      _ = try root.parseAsRoot(["--experimental-dump-help"])
      return .null
    } catch {
      return (try? JSONValue(parsing: Array(root.fullMessage(for: error).utf8)))?["command"] ?? .null
    }
  }

  private static func subcommand(_ name: String, of command: JSONValue) -> JSONValue? {
    command["subcommands"]?.array?.first { $0["commandName"]?.string == name }
  }

  private mutating func add(_ argument: JSONValue) {
    let names = (argument["names"]?.array ?? []).compactMap { name in
      name["name"]?.string.map { (name["kind"] == "long" ? "--" : "-") + $0 }
    }
    guard let joining = names.first(where: { $0.hasPrefix("--") }) ?? names.first else { return }
    for name in names {
      if argument["kind"] == "option" { withValue[name] = joining } else { withoutValue.insert(name) }
    }
  }

  /// Every option that takes a value, by each of its names.
  var namesWithValue: [String] { withValue.keys.sorted() }

  /// Whether an argument is an option of the command: by its name, with its value, or as several letters in one.
  private func isOption(_ argument: String) -> Bool {
    let name = String(argument.prefix { $0 != "=" })
    if withValue[name] != nil || withoutValue.contains(name) { return true }
    guard !argument.hasPrefix("--"), argument.count > 1 else { return false }
    return argument.dropFirst().allSatisfy { withoutValue.contains("-\($0)") }
  }

  /// The arguments as the parser takes them: `=` before a value that begins with a dash, and none before an empty one.
  func meant(by arguments: [String]) -> [String] {
    var meant: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" { return meant + [argument] + rest }
      let name = argument.prefix { $0 != "=" }
      guard let option = withValue[String(name)] else {
        meant.append(argument)
        continue
      }
      if name.endIndex < argument.endIndex {
        let value = String(argument[name.endIndex...].dropFirst())
        meant += value.isEmpty ? [option, ""] : ["\(option)=\(value)"]
      } else if let value = rest.first, value.hasPrefix("-"), value != "-", !isOption(value) {
        meant.append("\(option)=\(value)")
        rest.removeFirst()
      } else {
        meant.append(argument)
      }
    }
    return meant
  }

  /// The first option whose value is empty.
  func emptyOption(in arguments: [String]) -> String? {
    var rest = arguments.prefix { $0 != "--" }[...]
    while let argument = rest.popFirst() {
      if withValue[argument] != nil, rest.first?.isEmpty == true { return argument }
      if argument.hasSuffix("="), withValue[String(argument.dropLast())] != nil { return String(argument.dropLast()) }
    }
    return nil
  }
}
