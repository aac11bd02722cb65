import Glibc

/// Folds the help of a command once, at the width of the terminal.
///
/// The parser folds each line by itself, so a paragraph that was written in several lines breaks twice in a narrow window.
struct HelpText {
  /// More than any line of help has: the parser then folds nothing.
  static let unfolded = 1 << 20

  /// With which all help begins, and nothing else that the parser prints.
  static let beginning = "OVERVIEW: "
  /// Where the explanation ends and the tables of arguments and options begin.
  private static let usage = "USAGE: "
  /// The column of the explanations in the tables, as the parser writes them.
  private static let tableColumn = 26
  /// Where the window is too narrow for two columns.
  private static let narrowColumn = 8

  private let columns: Int
  private var isTable = false
  private var folded: [String] = []
  private var paragraph: [Substring] = []

  private init(columns: Int) { self.columns = columns }

  /// The text with paragraphs, tables and examples folded.
  /// - Parameter columns: the width of the terminal.
  static func folded(_ text: String, columns: Int) -> String {
    var help = HelpText(columns: columns)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) { help.add(line) }
    help.endParagraph()
    return help.folded.joined(separator: "\n")
  }

  /// The width of the terminal that standard output is; 80 where it is none.
  static var terminalColumns: Int {
    if let given = Environment.value(of: "COLUMNS").flatMap(Int.init), given > 0 { return given }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  private mutating func add(_ line: Substring) {
    if line.hasPrefix(Self.usage) {
      endParagraph()
      isTable = true
      folded += fold(line, indentation: Self.usage.count)
    } else if isTable {
      addToTable(line)
    } else if line.isEmpty || line.hasPrefix(" ") {
      endParagraph()
      folded += fold(example: line)
    } else {
      paragraph.append(line)
    }
  }

  private mutating func endParagraph() {
    if !paragraph.isEmpty { folded += fold(paragraph.joined(separator: " ")[...], indentation: 0) }
    paragraph = []
  }

  /// A row of a table: a name, and an explanation from ``tableColumn`` on.
  private mutating func addToTable(_ line: Substring) {
    let name = line.prefix(Self.tableColumn)
    let explanation = line.dropFirst(Self.tableColumn)
    guard line.hasPrefix("  "), !explanation.isEmpty, name.last == " " else {
      folded += fold(line, indentation: Self.narrowColumn)
      return
    }
    let isNarrow = columns < 2 * Self.tableColumn
    let indentation = isNarrow ? Self.narrowColumn : Self.tableColumn
    let rows = fold(String(repeating: " ", count: indentation) + explanation, indentation: indentation)
    if isNarrow {
      let label = name.trimmingSpaceAtEnd
      folded += (label.isEmpty ? [] : [String(label)]) + rows
    } else {
      folded.append(name + String((rows.first ?? "").dropFirst(indentation)))
      folded += rows.dropFirst()
    }
  }

  /// The words of a text; what stands in square brackets, an option with its value, is one.
  private static func words(of text: some StringProtocol) -> [String] {
    var words: [String] = []
    for word in text.split(separator: " ") {
      if let last = words.last, last.hasPrefix("["), !last.hasSuffix("]") {
        words[words.count - 1] += " " + word
      } else {
        words.append(String(word))
      }
    }
    return words
  }

  /// - Parameter indentation: of the second line and the following.
  private func fold(_ text: some StringProtocol, indentation: Int) -> [String] {
    WordWrap.lines(of: Self.words(of: text), after: text.prefix { $0 == " " }, columns, indentation)
  }

  /// An example that goes on with the next line as a shell reads it: what is copied still works. What is quoted is one
  /// word.
  private func fold(example: Substring) -> [String] {
    guard example.drop(while: { $0 == " " }).hasPrefix("atelier ") else { return [String(example)] }
    var words: [String] = []
    for word in example.split(separator: " ") {
      if let last = words.last, last.count(where: { $0 == "\"" }) % 2 == 1 {
        words[words.count - 1] += " " + word
      } else {
        words.append(String(word))
      }
    }
    let margin = example.prefix { $0 == " " }
    return WordWrap.lines(of: words, after: margin, columns, margin.count + 4, continuation: " \\")
  }
}

extension Substring {
  fileprivate var trimmingSpaceAtEnd: Substring { dropLast(reversed().prefix { $0 == " " }.count) }
}
