import ArgumentParser
import AtelierProtocol
import Engine
import JSON

/// `atelier show GENERATION`: everything about one generation, and its pictures.
struct ShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show everything about a generation, and its pictures.",
    discussion: """
      The pictures themselves are shown by terminals that can: kitty, Ghostty, iTerm2, WezTerm and mintty, and any other
      if `chafa` is installed. --preview and --no-preview decide it. --open opens them in the desktop's viewer.

        atelier show last
        atelier show last --open
        atelier show gen_01k9w3ssq0m8v6c1xj5t2h4n7b --json | jq .usage
      """)

  @Argument(help: "The generation, as `atelier history` shows it; last is the newest.", completion: .generations)
  var generation: String

  @Option(help: "The account that the generation must belong to; by default any.")
  var account: String?

  @Flag(help: "Open the pictures in the desktop's viewer (xdg-open).")
  var open = false

  @Flag(inversion: .prefixedNo, help: "Whether the pictures are shown in the terminal; by default if it can.")
  var preview: Bool?

  @Flag(help: "Print the generation as JSON, in the form of the protocol.")
  var json = false

  @OptionGroup var common: CommonOptions

  private func request(_ id: GenerationID) -> HistoryGet {
    HistoryGet(generationId: id, account: account.map { AccountID(rawValue: $0) })
  }

  func validate() throws {
    _ = try request(GenerationID(rawValue: generation)).checked()
    guard !json || preview != true else { throw ValidationError("Choose one of --json and --preview.") }
  }

  func run() async throws {
    try await EngineAssembly.withEngine(common.settings) { engine in
      let account = await engine.presentAccount(of: account.map { AccountID(rawValue: $0) })
      let id = try await engine.generation(named: generation, of: account)
      let request = HistoryGet(generationId: id, account: account)
      var entry = try await engine.historyEntry(request, for: Caller())
      if !json || open { entry = try await engine.fetchingPictures(of: entry.generationId, for: Caller()) }
      if json {
        try Console.printJSON(entry)
      } else {
        let params = try await engine.historyRequest(request, for: Caller())
        Console.printEntry(GenerationDetails(entry, params: params).lines)
        try await show(entry, engine)
      }
      if open { try await Self.open(entry) }
    }
  }

  /// Shows the pictures in the terminal.
  private func show(_ entry: Generation, _ engine: Engine) async throws {
    guard preview != false, !entry.images.isEmpty else { return }
    guard let terminal = TerminalPictures() else {
      if preview == true {
        throw CommandFailure(
          sentence: "The pictures cannot be shown here. Install chafa, or open them in the desktop with --open.")
      }
      return
    }
    for image in entry.images where image.path != nil || entry.private != true {
      do {
        try await terminal.show(image, of: entry.generationId, engine)
      } catch {
        // What was asked for fails; what was not is left out.
        if preview == true { throw error }
      }
    }
  }

  private static func open(_ entry: Generation) async throws {
    let paths = entry.pictureFiles
    guard !paths.isEmpty else { throw CommandFailure(sentence: "The generation has no picture to open.") }
    guard Environment.value(of: "DISPLAY") != nil || Environment.value(of: "WAYLAND_DISPLAY") != nil else {
      throw CommandFailure(sentence: "There is no desktop here to open the pictures in: \(paths.joined(separator: ", "))")
    }
    guard let viewer = Program.path(of: "xdg-open") else {
      throw CommandFailure(sentence: "xdg-open is not installed, so the pictures cannot be opened. Install xdg-utils.")
    }
    for path in paths {
      guard try await Program.start(viewer, [path]) else {
        throw CommandFailure(sentence: "\(path.onOneLine) could not be opened: the desktop has no viewer for it.")
      }
    }
  }
}
