import ArgumentParser
import Glibc

/// Whether a command uses colours: `auto` does so at a terminal that knows them, unless NO_COLOR is set.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
  case auto, always, never
}

/// What the person sees of a stream: whether it leads to a terminal, and what that terminal can do.
struct Terminal: Sendable {
  /// The colours that are used, each for one purpose: errors are red, what is done is green, what is less important is dim.
  enum Color: Int, Sendable {
    case dim = 2
    case red = 31
    case green = 32
  }

  /// Whether the stream leads to a terminal.
  let isTerminal: Bool
  /// Whether a line can be cleared and written again. A dumb terminal knows no escape sequences, and some show a carriage
  /// return as it is.
  let rewritesLines: Bool
  let hasColor: Bool
  private let descriptor: Int32

  /// - Parameter descriptor: the stream, such as standard error.
  init(_ descriptor: Int32, color: ColorChoice = .auto) {
    self.init(
      descriptor, isTerminal: isatty(descriptor) == 1, type: Environment.value(of: "TERM"),
      // https://no-color.org: with any value that is not empty.
      refusesColor: Environment.value(of: "NO_COLOR") != nil, color: color)
  }

  /// - Parameters:
  ///   - type: the kind of terminal as TERM names it; nil when it does not.
  ///   - refusesColor: whether NO_COLOR is set.
  init(_ descriptor: Int32, isTerminal: Bool, type: String?, refusesColor: Bool, color: ColorChoice) {
    self.descriptor = descriptor
    self.isTerminal = isTerminal
    rewritesLines = isTerminal && type != nil && type != "dumb"
    hasColor =
      switch color {
      case .auto: rewritesLines && !refusesColor
      case .always: true
      case .never: false
      }
  }

  /// The present width in columns; 80 where it is not known.
  var columns: Int { knownColumns ?? 80 }

  private var knownColumns: Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return nil }
    return Int(size.ws_col)
  }

  /// The text, broken between words where this is a terminal of a known width.
  /// - Parameter indentation: of the second line and the following.
  func wrapped(_ text: String, indentation: Int = 0) -> String {
    guard isTerminal, let columns = knownColumns else { return text }
    return WordWrap.lines(of: text, columns: columns, indentation: indentation).joined(separator: "\n")
  }

  /// The text in this colour, where there are colours.
  func colored(_ text: String, _ color: Color) -> String {
    hasColor && !text.isEmpty ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
  }
}
