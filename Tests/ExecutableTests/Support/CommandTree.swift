import JSON

/// The commands of the executable, as it lists them itself.
struct CommandTree {
  /// The words of each command that does something.
  let commands: [[String]]
  /// The words of each command, also of those that only have subcommands; the root has none.
  let all: [[String]]

  init() async throws {
    let dump = try await Executable.run(["--experimental-dump-help"])
    let root = try JSONValue(parsing: Array(dump.output.utf8))["command"]
    var (commands, all) = ([[String]](), [[String]]())
    func walk(_ command: JSONValue?, _ words: [String]) {
      // The parser adds `help`, which is no command of ours.
      let below = (command?["subcommands"]?.array ?? []).filter { $0["commandName"] != "help" }
      all.append(words)
      if below.isEmpty { commands.append(words) }
      for each in below { walk(each, words + [each["commandName"]?.string ?? ""]) }
    }
    walk(root, [])
    (self.commands, self.all) = (commands, all)
  }
}
