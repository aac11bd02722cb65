/// Breaks a text between its words: a terminal would break it within them.
enum WordWrap {
  /// - Parameters:
  ///   - columns: the width of the terminal. A word that is wider has a line of its own, which the terminal breaks.
  ///   - indentation: of the second line and the following.
  /// - Returns: the lines; one if everything fits.
  static func lines(of text: some StringProtocol, columns: Int, indentation: Int = 0) -> [String] {
    // The spaces between columns stay where there is nothing to break.
    if DisplayWidth.columns(of: String(text)) <= columns { return [String(text)] }
    let words = String(text).split(separator: " " as Character).map(String.init)
    return lines(of: words, after: text.prefix { $0 == " " }, columns, indentation)
  }

  /// - Parameters:
  ///   - words: what is not broken.
  ///   - beginning: what comes before the first word, without a space between them.
  ///   - continuation: what ends a line that goes on.
  static func lines(
    of words: [String], after beginning: some StringProtocol = "", _ columns: Int, _ indentation: Int,
    continuation: String = ""
  ) -> [String] {
    var lines: [String] = []
    var line = String(beginning)
    var isEmpty = true
    for (position, word) in words.enumerated() {
      let isLast = position == words.count - 1
      let room = columns - (isLast ? 0 : continuation.count)
      if !isEmpty, DisplayWidth.columns(of: line) + 1 + DisplayWidth.columns(of: word) > room {
        lines.append(line + continuation)
        (line, isEmpty) = (String(repeating: " ", count: indentation), true)
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return lines + [line]
  }
}
