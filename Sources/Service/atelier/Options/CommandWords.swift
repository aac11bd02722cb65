import ArgumentParser
import AtelierProtocol
import JSON

/// The words of the command line in place of those of the protocol.
///
/// The engine speaks to hosts, which know members and methods. A person at a terminal knows options and commands.
enum CommandWords {
  /// Members whose option has another name, or several.
  private static let renamed = [
    "image": "the photo", "generationId": "the generation", "references": "--reference", "templateId": "--template",
    "inline": "-o", "headHeight": "--head",
    "style": "--background and --angle", "timeoutMs": "generationTimeoutMs of the configuration",
  ]

  /// The command that does what a method does.
  private static let commands = [
    "templates/list": "templates", "templates/get": "templates", "providers/list": "providers",
    "history/list": "history", "session/list": "history", "generation/watch": "watch", "image/prepare": "prepare",
    "credits/history": "credits history", "credits/balance": "credits show", "location/search": "places --from",
  ]

  /// Phrases that are for hosts only.
  static let phrases: [(forHosts: String, forPeople: String)] = [
    (" in this account. Its history lists those it has.", ". `atelier history` lists those that are there."),
    (" in this account.", "."),
    ("or name an output.directory", "or name a folder with --directory"),
    (" with generate.", " with `atelier generate`."),
    (", or let the host answer location/search.", ", or name a list of your own with --from."),
  ]

  /// What a person calls a member of a request: its option.
  static func name(ofMember member: String) -> String { renamed[member] ?? "--\(kebabCase(member))" }

  /// The sentence about the value at a JSON Pointer, phrased for whoever typed it.
  static func sentence(about pointer: String, mustBe expected: String) -> String {
    let members = pointer.split(separator: "/").map(String.init)
    let member = members.first == "output" ? members.dropFirst().first : members.first
    let name = member.map(name(ofMember:)) ?? "what is named"
    return "\(name.prefix(1).uppercased())\(name.dropFirst()) must be \(expected)."
  }

  /// What went wrong, and behind it what can be done: whoever runs a command runs the service as well.
  static func sentence(of error: AtelierError) -> String { sentence(error.forOperators) }

  /// What ended a generation.
  static func sentence(of error: ErrorBody) -> String { sentence(of: AtelierError(error)) }

  /// What a person should know about a result.
  static func sentence(of warning: Warning) -> String { sentence(warning.message.text) }

  /// A sentence of the engine with options, commands and this machine's time in place of members, methods and UTC.
  static func sentence(_ text: String) -> String {
    let text = phrases.reduce(text) { $0.replacing($1.forHosts, with: $1.forPeople) }
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    return words.indices.map { index in
      let (core, punctuation) = parts(of: words[index])
      let next = index + 1 < words.endIndex ? parts(of: words[index + 1]).core : ""
      let isLeftOut = index > 0 && words[index - 1] == "leave" && next == "out"
      let isRefused = index > 1 && words[index - 1] == "no" && words[index - 2] == "takes"
      return (word(for: core, isMember: isLeftOut || isRefused) ?? core) + punctuation
    }.joined(separator: " ")
  }

  /// A word without the punctuation after it.
  private static func parts(of word: String) -> (core: String, punctuation: String) {
    let punctuation = word.reversed().prefix { ".,:;".contains($0) }
    return (String(word.dropLast(punctuation.count)), String(punctuation.reversed()))
  }

  /// - Parameter isMember: whether the word is a member if there is an option of its name; otherwise it may be English.
  /// - Returns: nil for a word that stays.
  private static func word(for core: String, isMember: Bool) -> String? {
    if let command = commands[core] { return "`atelier \(command)`" }
    if let time = Timestamp(core) { return time.localText }
    if core.hasPrefix("output.") {
      let member = String(core.dropFirst("output.".count))
      return options.contains(kebabCase(member)) || renamed[member] != nil ? name(ofMember: member) : nil
    }
    let letters = core.unicodeScalars
    let isCamelCase =
      letters.allSatisfy { ("a"..."z").contains($0) || ("A"..."Z").contains($0) }
      && letters.first.map { ("a"..."z").contains($0) } == true && letters.contains { ("A"..."Z").contains($0) }
    guard isCamelCase || isMember else { return nil }
    return renamed[core] ?? (options.contains(kebabCase(core)) ? name(ofMember: core) : nil)
  }

  /// `maxBytes` as `max-bytes`.
  private static func kebabCase(_ member: String) -> String {
    member.reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : String($1) }
  }

  /// The long names of all options of all commands, from their declarations. Read only for a word that could be one.
  private static let options: Set<String> = {
    var dump = ""
    do {
      _ = try AtelierCommand.parseAsRoot(["--experimental-dump-help"])
    } catch {
      // The parser answers by an error.
      dump = AtelierCommand.fullMessage(for: error)
    }
    var names: Set<String> = []
    func collect(_ command: JSONValue) {
      for argument in command["arguments"]?.array ?? [] {
        for name in argument["names"]?.array ?? [] where name["kind"] == "long" {
          if let text = name["name"]?.string { names.insert(text) }
        }
      }
      for subcommand in command["subcommands"]?.array ?? [] { collect(subcommand) }
    }
    if let command = (try? JSONValue(parsing: Array(dump.utf8)))?["command"] { collect(command) }
    return names
  }()
}
