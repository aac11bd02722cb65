/// The literals of a Swift file that may be read by people, each as the template of a ``Sentence``: with `{1}`, `{2}`… in
/// place of what is interpolated, and joined where `+` joins two.
struct SourceLiterals {
  struct Literal {
    var template: String
    var line: Int
    /// The label of the argument that it is, or the first word before it on its line; empty if there is none.
    var label: String
    /// The type of the variable or function around it, if it is declared; else empty.
    var type: String
  }

  private let source: [Character]
  private var position = 0
  private var line = 1
  private var type = ""
  private(set) var found: [Literal] = []

  init(_ text: String) {
    source = Array(text)
    while position < source.count { step() }
  }

  private mutating func step() {
    switch source[position] {
    case "/" where begins("//"): skipLine()
    case "\n":
      line += 1
      position += 1
      learnType()
    case "#" where begins("#\""): skipRaw()
    case "\"": literal()
    default: position += 1
    }
  }

  private func begins(_ text: String) -> Bool {
    source[position...].starts(with: text)
  }

  private mutating func skipLine() {
    while position < source.count, source[position] != "\n" { position += 1 }
  }

  /// `#"…"#` holds JSON and patterns.
  private mutating func skipRaw() {
    position += 2
    while position < source.count, !begins("\"#") {
      if source[position] == "\n" { line += 1 }
      position += 1
    }
    position += 2
  }

  /// Learns the type of a declaration that begins with this line: `var a: String {`, `func a() -> Sentence {`.
  private mutating func learnType() {
    let text = String(source[position...].prefix { $0 != "\n" })
    let declared = /^\s*(?:[a-z]+(?:\(set\))?\s+)*(?:var|let)\s+\w+\s*:\s*([\w\[\].:? ]+?)\s*(?:[{=].*)?$/
    if let match = text.firstMatch(of: declared) {
      type = String(match.1)
    } else if let match = text.firstMatch(of: /->\s*([\w\[\].:? ]+?)\s*(?:\{.*)?$/) {
      type = String(match.1)
    } else if text.firstMatch(of: /^\s*(?:[a-z]+(?:\(set\))?\s+)*(?:func|init|extension|struct|enum|actor|class)\b/) != nil {
      type = ""
    }
  }

  private mutating func literal() {
    let (begin, label) = (line, label)
    var template = ""
    var count = 0
    repeat {
      template += one(&count)
    } while skipPlus()
    found.append(Literal(template: template, line: begin, label: label, type: type))
  }

  /// `hint` in `hint: "…"`.
  private var label: String {
    let before = source[..<position].reversed().drop { $0 == " " }
    guard before.first == ":" else { return "" }
    return String(before.dropFirst().prefix { $0.isLetter }.reversed())
  }

  /// Goes to the next literal if `+` joins it to the one that was read.
  private mutating func skipPlus() -> Bool {
    let rest = source[position...].drop(while: \.isWhitespace)
    guard rest.first == "+" else { return false }
    let next = rest.dropFirst().drop(while: \.isWhitespace)
    guard next.first == "\"" else { return false }
    line += source[position..<next.startIndex].count { $0 == "\n" }
    position = next.startIndex
    return true
  }

  /// Reads one literal.
  private mutating func one(_ count: inout Int) -> String {
    let quote = begins("\"\"\"") ? "\"\"\"" : "\""
    position += quote.count
    var text = ""
    while position < source.count, !begins(quote) {
      if source[position] == "\n" { line += 1 }
      guard source[position] == "\\", position + 1 < source.count else {
        text.append(source[position])
        position += 1
        continue
      }
      position += 1
      if source[position] == "(" {
        skipInterpolation()
        count += 1
        text += "{\(count)}"
      } else {
        text.append(source[position])
        position += 1
      }
    }
    position += quote.count
    return text
  }

  /// Its own literals are found as well.
  private mutating func skipInterpolation() {
    var depth = 0
    repeat {
      switch source[position] {
      case "(": depth += 1
      case ")": depth -= 1
      case "\"":
        literal()
        continue
      default: break
      }
      position += 1
    } while depth > 0 && position < source.count
  }
}
