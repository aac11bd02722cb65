/// A file taken apart: what is code and what is comment, each with blanks in the place of all else, so that lines and
/// columns stay.
struct CodeAndComments {
  /// String literals keep their quotes and lose their text; what is interpolated is code.
  let code: [String]
  let comments: [String]

  /// How a language writes comments and strings.
  private struct Syntax {
    var lineComment: [UInt8] = Array("//".utf8)
    var blockComment: (begin: [UInt8], end: [UInt8])? = (Array("/*".utf8), Array("*/".utf8))
    var quotes: Set<UInt8> = [UInt8(ascii: "\"")]
    var isSwift = false

    init(kind: String) {
      switch kind {
      case "swift": isSwift = true
      case "c", "h": quotes.insert(UInt8(ascii: "'"))
      case "js", "ts": quotes.formUnion([UInt8(ascii: "'"), UInt8(ascii: "`")])
      case "py":
        // What stands between triple quotes describes what follows or precedes it.
        (lineComment, blockComment) = (Array("#".utf8), (Array("\"\"\"".utf8), Array("\"\"\"".utf8)))
        quotes.insert(UInt8(ascii: "'"))
      default: (lineComment, blockComment, quotes) = (Array("#".utf8), nil, [])
      }
    }
  }

  private enum Part {
    /// Code, with the number of parentheses that are open since the interpolation began.
    case code(parentheses: Int)
    case string(quote: UInt8, length: Int, pounds: Int)
    case line
    case block(depth: Int)
  }

  init(_ file: TextFile) {
    var text = file.lines.joined(separator: "\n")
    let (code, comments) = text.withUTF8 { Self.separate($0, Syntax(kind: file.kind)) }
    self.code = Self.lines(code)
    self.comments = Self.lines(comments)
  }

  private static func lines(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func separate(_ text: UnsafeBufferPointer<UInt8>, _ syntax: Syntax) -> (code: [UInt8], comments: [UInt8]) {
    let blank = text.map { $0 == UInt8(ascii: "\n") ? $0 : UInt8(ascii: " ") }
    var (code, comments) = (blank, blank)
    var parts: [Part] = [.code(parentheses: 0)]
    var index = 0

    func follows(_ bytes: [UInt8], at place: Int) -> Bool {
      place + bytes.count <= text.count && text[place..<place + bytes.count].elementsEqual(bytes)
    }
    func copy(_ count: Int, into target: inout [UInt8]) {
      let end = min(index + count, text.count)
      for place in index..<end { target[place] = text[place] }
      index = end
    }

    while index < text.count {
      let byte = text[index]
      switch parts[parts.count - 1] {
      case .code(let parentheses):
        let pounds = syntax.isSwift ? text[index...].prefix { $0 == UInt8(ascii: "#") }.count : 0
        if follows(syntax.lineComment, at: index), syntax.quotes.count > 0 || isFirst(index, of: text) {
          parts.append(.line)
        } else if let block = syntax.blockComment, follows(block.begin, at: index) {
          parts.append(.block(depth: 1))
          copy(block.begin.count, into: &comments)
        } else if index + pounds < text.count, syntax.quotes.contains(text[index + pounds]) {
          let quote = text[index + pounds]
          let length = syntax.isSwift && follows([quote, quote, quote], at: index + pounds) ? 3 : 1
          parts.append(.string(quote: quote, length: length, pounds: pounds))
          copy(pounds + length, into: &code)
        } else {
          if byte == UInt8(ascii: "(") {
            parts[parts.count - 1] = .code(parentheses: parentheses + 1)
          } else if byte == UInt8(ascii: ")"), parentheses == 0, parts.count > 1 {
            parts.removeLast()
          } else if byte == UInt8(ascii: ")") {
            parts[parts.count - 1] = .code(parentheses: parentheses - 1)
          }
          copy(max(1, pounds), into: &code)
        }
      case .string(let quote, let length, let pounds):
        let hashes = [UInt8](repeating: UInt8(ascii: "#"), count: pounds)
        if follows([UInt8](repeating: quote, count: length) + hashes, at: index) {
          parts.removeLast()
          copy(length + pounds, into: &code)
        } else if follows([UInt8(ascii: "\\")] + hashes, at: index) {
          index += 1 + pounds
          if syntax.isSwift, follows([UInt8(ascii: "(")], at: index) {
            parts.append(.code(parentheses: 0))
          }
          index += 1
        } else {
          // A string of one line does not go on: this was no string, or the rest of the file would be lost with it.
          if byte == UInt8(ascii: "\n"), length == 1, quote != UInt8(ascii: "`") { parts.removeLast() }
          index += 1
        }
      case .line:
        if byte == UInt8(ascii: "\n") { parts.removeLast() }
        copy(1, into: &comments)
      case .block(let depth):
        guard let block = syntax.blockComment else { return (code, comments) }
        if follows(block.end, at: index) {
          if depth == 1 { parts.removeLast() } else { parts[parts.count - 1] = .block(depth: depth - 1) }
          copy(block.end.count, into: &comments)
        } else if syntax.isSwift, follows(block.begin, at: index) {
          parts[parts.count - 1] = .block(depth: depth + 1)
          copy(block.begin.count, into: &comments)
        } else {
          copy(1, into: &comments)
        }
      }
    }
    return (code, comments)
  }

  /// Whether nothing but blanks stands before this byte in its line.
  private static func isFirst(_ index: Int, of text: UnsafeBufferPointer<UInt8>) -> Bool {
    text[..<index].reversed().first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") } ?? UInt8(ascii: "\n")
      == UInt8(ascii: "\n")
  }
}
