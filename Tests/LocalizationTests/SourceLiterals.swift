/// The literals of a Swift file that may be read by people, each as the template of a ``Sentence``: with `{1}`, `{2}`… in
/// place of what is interpolated, and joined where `+` joins two.
struct SourceLiterals {
  struct Literal {
    var template: String
    var line: Int
    /// The label of the argument that it is, or the member that it is assigned to; empty if there is none.
    var label: String
    /// The type of the variable or function around it, if it is declared; else empty.
    var type: String
  }

  private let source: [UInt8]
  private var position = 0
  private var line = 1
  private var type = ""
  private(set) var found: [Literal] = []

  init(_ text: String) {
    source = Array(text.utf8)
    while position < source.count { step() }
  }

  private mutating func step() {
    switch source[position] {
    case UInt8(ascii: "/") where begins("//"): position = source[position...].firstIndex(of: Self.newline) ?? source.count
    case Self.newline:
      line += 1
      position += 1
      learnType()
    case UInt8(ascii: "#") where begins("#\""): skipRaw()
    case Self.quote: literal()
    default: position += 1
    }
  }

  private static let newline = UInt8(ascii: "\n")
  private static let quote = UInt8(ascii: "\"")
  private static let space = UInt8(ascii: " ")

  private func begins(_ text: String) -> Bool {
    source[position...].starts(with: text.utf8)
  }

  /// `#"…"#` holds JSON and patterns.
  private mutating func skipRaw() {
    position += 2
    while position < source.count, !begins("\"#") {
      if source[position] == Self.newline { line += 1 }
      position += 1
    }
    position += 2
  }

  /// Learns the type of a declaration that begins with this line: `var a: String {`, `func a() -> Sentence {`.
  private mutating func learnType() {
    let text = String(decoding: source[position...].prefix { $0 != Self.newline }, as: UTF8.self)
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
    var template: [UInt8] = []
    var count = 0
    repeat {
      template += one(&count)
    } while skipPlus()
    found.append(Literal(template: String(decoding: template, as: UTF8.self), line: begin, label: label, type: type))
  }

  /// `hint` in `hint: "…"` and in `error.hint = "…"`.
  private var label: String {
    let before = source[..<position].reversed().drop { $0 == Self.space }
    guard let sign = before.first, [UInt8(ascii: ":"), UInt8(ascii: "=")].contains(sign) else { return "" }
    let rest = before.dropFirst().drop { $0 == Self.space }
    let name = rest.prefix { Self.isLetter($0) }
    guard sign == UInt8(ascii: ":") || rest.dropFirst(name.count).first == UInt8(ascii: ".") else { return "" }
    return String(decoding: name.reversed(), as: UTF8.self)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  /// Goes to the next literal if `+` joins it to the one that was read.
  private mutating func skipPlus() -> Bool {
    let rest = source[position...].drop { $0 == Self.space || $0 == Self.newline }
    guard rest.first == UInt8(ascii: "+") else { return false }
    let next = rest.dropFirst().drop { $0 == Self.space || $0 == Self.newline }
    guard next.first == Self.quote else { return false }
    line += source[position..<next.startIndex].count { $0 == Self.newline }
    position = next.startIndex
    return true
  }

  /// Reads one literal.
  private mutating func one(_ count: inout Int) -> [UInt8] {
    let quote = begins("\"\"\"") ? "\"\"\"" : "\""
    position += quote.utf8.count
    var text: [UInt8] = []
    while position < source.count, !begins(quote) {
      if source[position] == Self.newline { line += 1 }
      guard source[position] == UInt8(ascii: "\\"), position + 1 < source.count else {
        text.append(source[position])
        position += 1
        continue
      }
      position += 1
      if source[position] == UInt8(ascii: "(") {
        skipInterpolation()
        count += 1
        text += "{\(count)}".utf8
      } else {
        text.append(source[position])
        position += 1
      }
    }
    position += quote.utf8.count
    return text
  }

  /// Its own literals are found as well.
  private mutating func skipInterpolation() {
    var depth = 0
    repeat {
      switch source[position] {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      case Self.quote:
        literal()
        continue
      default: break
      }
      position += 1
    } while depth > 0 && position < source.count
  }
}
