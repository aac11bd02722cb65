import ArgumentParser

/// What a command shows on standard error while it works.
struct DisplayOptions: ParsableArguments {
  @Option(help: "How progress is shown: text, json for an event of the protocol in each line, or none.")
  var progress: ProgressForm = .text

  @Flag(help: "Show no progress; short for --progress none.")
  var noProgress = false

  @Flag(name: [.short, .long], help: "Print only the paths and what went wrong.")
  var quiet = false

  @Option(help: "Colours: auto, always or never; NO_COLOR and TERM=dumb mean never.")
  var color: ColorChoice = .auto

  func validate() throws {
    guard !noProgress || progress != .json else { throw ValidationError("Choose --no-progress or --progress json.") }
  }

  var settings: DisplaySettings {
    DisplaySettings(
      progress: noProgress || quiet && progress == .text ? .none : progress, isQuiet: quiet, color: color)
  }
}

/// How progress is shown.
enum ProgressForm: String, ExpressibleByArgument, CaseIterable, Sendable {
  case text, json, none
}

/// The values of ``DisplayOptions``; the defaults are those of a command without these options.
struct DisplaySettings: Sendable {
  var progress = ProgressForm.text
  /// Whether only errors are told.
  var isQuiet = false
  var color = ColorChoice.auto
}
