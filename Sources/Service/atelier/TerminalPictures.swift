import AtelierProtocol
import Encodings
import Engine
import Glibc

/// How the terminal of this command can show pictures.
enum TerminalPictures: Equatable {
  /// The graphics protocol of kitty, which takes PNG.
  case kitty
  /// The inline images of iTerm2.
  case iTerm
  /// The program at this path, which knows more terminals, and draws with characters in the rest.
  case chafa(String)

  /// Of standard output; nil when it is no terminal, or one that can show none.
  init?() {
    guard isatty(STDOUT_FILENO) == 1 else { return nil }
    self.init(environment: Environment.value(of:), chafa: Program.path(of: "chafa"))
  }

  /// - Parameters:
  ///   - environment: the variables by which terminals make themselves known.
  ///   - chafa: the path of the program; nil where it is not installed.
  init?(environment: (String) -> String?, chafa: String?) {
    let term = environment("TERM") ?? ""
    let program = environment("TERM_PROGRAM") ?? ""
    // A multiplexer passes on no pictures of the terminal behind it.
    let isMultiplexed = environment("TMUX") != nil || term.hasPrefix("screen") || term.hasPrefix("tmux")
    if term == "dumb" {
      return nil
    } else if !isMultiplexed, environment("KITTY_WINDOW_ID") != nil || term == "xterm-kitty" || term == "xterm-ghostty" {
      self = .kitty
    } else if !isMultiplexed,
      ["iTerm.app", "WezTerm", "mintty"].contains(program) || environment("LC_TERMINAL") == "iTerm2"
    {
      self = .iTerm
    } else if let chafa {
      self = .chafa(chafa)
    } else {
      return nil
    }
  }

  /// The most pixels of the longest side of a picture that is sent to the terminal.
  private static let longestSide = 640

  /// Shows a picture below what was printed.
  /// - Throws: `AtelierError` when it is not kept or cannot be read, `CommandFailure` when the program fails.
  func show(_ image: GeneratedImage, of generation: GenerationID, _ engine: Engine) async throws {
    switch self {
    case .chafa(let program):
      guard let path = image.storedPath ?? image.path,
        try await Program.run(program, ["--size", "60x24", "--", path]) == 0
      else { throw CommandFailure(sentence: "chafa could not show the picture, or it is in the bucket only.") }
    case .kitty, .iTerm:
      let png = try await engine.terminalPreview(
        generation, index: image.index, longestSide: Self.longestSide, for: Caller())
      print(sequence(showing: png))
    }
  }

  /// The control sequence that shows a PNG; empty for ``chafa(_:)``.
  func sequence(showing png: [UInt8]) -> String {
    let data = Base64.encoded(png)
    switch self {
    case .chafa: return ""
    case .iTerm: return "\u{1B}]1337;File=inline=1;size=\(png.count):\(data)\u{07}"
    case .kitty:
      // At most 4096 bytes in each piece; m=1 says that another one follows.
      let pieces = stride(from: 0, to: max(1, data.utf8.count), by: 4096).map { start in
        String(decoding: data.utf8.dropFirst(start).prefix(4096), as: UTF8.self)
      }
      return pieces.indices.map { index in
        let first = index == 0 ? "a=T,f=100," : ""
        return "\u{1B}_G\(first)m=\(index + 1 < pieces.count ? 1 : 0);\(pieces[index])\u{1B}\\"
      }.joined()
    }
  }
}
