import ArgumentParser

/// The script by which a shell completes commands, as the parser writes it, and what the parser leaves out: the topics of
/// `atelier help`, which are the commands.
enum CompletionScript {
  /// - Parameter script: for bash, zsh or fish; any other text stays as it is.
  static func withTopics(_ script: String) -> String {
    let topics = AtelierCommand.configuration.subcommands.compactMap { command in
      command.configuration.shouldDisplay ? command.configuration.commandName : nil
    }.joined(separator: " ")
    if script.hasPrefix("#!/bin/bash") {
      guard let start = script.firstRange(of: "\n_atelier_help() {") else { return script }
      let end = script[start.upperBound...].firstRange(of: "\n}") ?? start
      let offer = "\n    COMPREPLY+=($(compgen -W '\(topics)' -- \"${cur}\"))"
      return String(script[..<end.lowerBound]) + offer + String(script[end.lowerBound...])
    } else if script.hasPrefix("#compdef") {
      return script.replacing("'*:subcommands:'", with: "'*:subcommands:(\(topics))'")
    } else if script.contains("complete -c 'atelier' -f\n") {
      let condition = "__atelier_should_offer_completions_for_positional \"atelier help\" -eq 1"
      return script + "\ncomplete -c 'atelier' -n '\(condition)' -fka '\(topics)'"
    }
    return script
  }
}
