import ArgumentParser

/// Which command the arguments name, found before their options are parsed.
///
/// The parser alone would take options only behind the command that has them, and would hand an unknown word to the
/// default command.
struct CommandPath {
  /// The arguments in an order that the parser accepts: the commands, the options that stood before them, the rest.
  let arguments: [String]

  /// The options that may stand before the command: all of them take a value.
  private static let globalOptions = ["--data-dir", "--config", "--log-level"]
  /// What the root answers itself.
  private static let rootOptions = [
    "-h", "--help", "--version", "--generate-completion-script", "--experimental-dump-help",
  ]

  /// - Throws: `ValidationError` for a word that names no command.
  init(_ arguments: [String], of root: CommandConfiguration) throws {
    var rest = arguments[...]
    var command = root
    var words: [String] = []
    var globals: [String] = []
    while let word = rest.first, !command.subcommands.isEmpty {
      if let option = Self.globalOption(at: rest) {
        globals += option
        rest = rest.dropFirst(option.count)
        continue
      }
      // The parser adds the command `help` to the root.
      if word.hasPrefix("-") || words.isEmpty && word == "help" { break }
      command = try Self.subcommand(word, of: command, after: words)
      words.append(word)
      rest = rest.dropFirst()
    }
    if !words.isEmpty {
      let asksForHelp = rest.first.map { ["-h", "--help"].contains($0) } ?? false
      if let implied = command.defaultSubcommand?.configuration.commandName, !asksForHelp {
        self.arguments = words + [implied] + globals + rest
      } else {
        // A command that only has subcommands has no options.
        self.arguments = words + (command.subcommands.isEmpty ? globals : []) + rest
      }
    } else if let first = rest.first, Self.isForRoot(first) {
      if first == "help" { try Self.checkTopics(rest.dropFirst(), of: root) }
      self.arguments = Array(rest)
    } else {
      self.arguments = [ServeCommand.name] + globals + rest
    }
  }

  private static func isForRoot(_ word: String) -> Bool {
    rootOptions.contains(word) || word == "help" || word.hasPrefix("---")
  }

  /// - Throws: `ValidationError` when the words after `help` name no command: the parser would explain the root.
  private static func checkTopics(_ topics: ArraySlice<String>, of root: CommandConfiguration) throws {
    var command = root
    for index in topics.indices where !topics[index].hasPrefix("-") && !command.subcommands.isEmpty {
      command = try subcommand(topics[index], of: command, after: Array(topics[..<index]))
    }
  }

  private static func subcommand(
    _ word: String, of command: CommandConfiguration, after words: [String]
  ) throws -> CommandConfiguration {
    let known = command.subcommands.map { $0.configuration }
    if let next = known.first(where: { $0.commandName == word }) { return next }
    throw unknown(word, after: words, among: known.compactMap(\.commandName))
  }

  /// The global option that stands first, with its value.
  private static func globalOption(at rest: ArraySlice<String>) -> [String]? {
    guard let first = rest.first else { return nil }
    if globalOptions.contains(where: { first.hasPrefix("\($0)=") }) { return [first] }
    return globalOptions.contains(first) && rest.count > 1 ? Array(rest.prefix(2)) : nil
  }

  private static func unknown(_ word: String, after words: [String], among known: [String]) -> ValidationError {
    let full = (["atelier"] + words).joined(separator: " ")
    let sentence = "“\((words + [word]).joined(separator: " "))” is not a command."
    guard let nearest = known.min(by: { distance(word, $0) < distance(word, $1) }),
      distance(word, nearest) <= max(1, nearest.count / 3)
    else { return ValidationError("\(sentence) `\(full) --help` lists the commands.") }
    return ValidationError("\(sentence) Did you mean “\((words + [nearest]).joined(separator: " "))”?")
  }

  /// How many letters must be inserted, removed or replaced to make one word of the other.
  private static func distance(_ first: String, _ second: String) -> Int {
    let second = Array(second.unicodeScalars)
    var row = Array(0...second.count)
    // No command is so long that more of the word would matter.
    for (index, scalar) in first.unicodeScalars.prefix(64).enumerated() {
      var next = [index + 1]
      for (column, other) in second.enumerated() {
        next.append(min(row[column] + (scalar == other ? 0 : 1), row[column + 1] + 1, next[column] + 1))
      }
      row = next
    }
    return row[second.count]
  }
}
