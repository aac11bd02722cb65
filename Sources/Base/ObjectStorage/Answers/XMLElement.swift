import Encodings

/// An element of the XML that object storages answer with, without its attributes.
///
/// A strict reader of the small part of XML that they use: there are no document types, and so no entities but the five
/// of XML itself, no processing instructions, and no comments. Text between elements is dropped.
struct XMLElement: Sendable, Equatable {
  struct Malformed: Error {}

  var name: String
  var text = ""
  var children: [XMLElement] = []

  /// The first child with that name.
  func child(_ name: String) -> XMLElement? { children.first { $0.name == name } }

  func children(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

  init(name: String) { self.name = name }

  init(parsing bytes: [UInt8]) throws(Malformed) {
    guard String(validating: bytes, as: UTF8.self) != nil else { throw Malformed() }
    var parser = XMLParser(rest: bytes[...])
    self = try parser.document()
  }
}

/// Takes one construct after the other from the bytes.
private struct XMLParser {
  /// More than any answer has.
  private static let mostLevels = 16

  var rest: ArraySlice<UInt8>

  mutating func document() throws(XMLElement.Malformed) -> XMLElement {
    _ = take("\u{FEFF}")
    if take("<?xml") { _ = try takeAll(upTo: "?>") }
    skipBlanks()
    guard take("<") else { throw XMLElement.Malformed() }
    let root = try element(level: 1)
    skipBlanks()
    guard rest.isEmpty else { throw XMLElement.Malformed() }
    return root
  }

  /// What follows the bracket that opens it.
  private mutating func element(level: Int) throws(XMLElement.Malformed) -> XMLElement {
    guard level <= Self.mostLevels else { throw XMLElement.Malformed() }
    var element = XMLElement(name: try name())
    if try attributesEndElement() { return element }
    var text: [UInt8] = []
    while true {
      text += try characters()
      if take("</") {
        guard try name() == element.name else { throw XMLElement.Malformed() }
        skipBlanks()
        guard take(">") else { throw XMLElement.Malformed() }
        if element.children.isEmpty { element.text = String(decoding: text, as: UTF8.self) }
        return element
      }
      guard take("<") else { throw XMLElement.Malformed() }
      element.children.append(try self.element(level: level + 1))
    }
  }

  /// - Returns: whether the element is an empty one, which ends here.
  private mutating func attributesEndElement() throws(XMLElement.Malformed) -> Bool {
    while true {
      let hadBlanks = skipBlanks()
      if take("/>") { return true }
      if take(">") { return false }
      guard hadBlanks else { throw XMLElement.Malformed() }
      _ = try name()
      skipBlanks()
      guard take("=") else { throw XMLElement.Malformed() }
      skipBlanks()
      let quote = take("\"") ? "\"" : "'"
      guard quote == "\"" || take("'"), try !takeAll(upTo: quote).contains(UInt8(ascii: "<")) else {
        throw XMLElement.Malformed()
      }
    }
  }

  private mutating func name() throws(XMLElement.Malformed) -> String {
    let name = rest.prefix { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "_:-.".utf8.contains(byte)
      }
    }
    guard let first = name.first, !"0123456789-.".utf8.contains(first) else { throw XMLElement.Malformed() }
    rest = rest.dropFirst(name.count)
    return String(decoding: name, as: UTF8.self)
  }

  /// Text up to the next bracket.
  private mutating func characters() throws(XMLElement.Malformed) -> [UInt8] {
    var text: [UInt8] = []
    while let byte = rest.first, byte != UInt8(ascii: "<") {
      rest = rest.dropFirst()
      if byte == UInt8(ascii: "&") {
        text += try reference()
      } else if byte >= 0x20 || ASCII.isWhitespace(byte) {
        text.append(byte)
      } else {
        throw XMLElement.Malformed()
      }
    }
    return text
  }

  /// What follows the ampersand.
  private mutating func reference() throws(XMLElement.Malformed) -> [UInt8] {
    let name = String(decoding: try takeAll(upTo: ";", atMost: 10), as: UTF8.self)
    switch name {
    case "amp": return [UInt8(ascii: "&")]
    case "lt": return [UInt8(ascii: "<")]
    case "gt": return [UInt8(ascii: ">")]
    case "quot": return [UInt8(ascii: "\"")]
    case "apos": return [UInt8(ascii: "'")]
    default: break
    }
    let isHexadecimal = name.hasPrefix("#x")
    let digits = name.dropFirst(isHexadecimal ? 2 : 1)
    guard name.hasPrefix("#"), digits.utf8.allSatisfy({ ASCII.hexadecimalValue($0) != nil }),
      let number = UInt32(digits, radix: isHexadecimal ? 16 : 10), number != 0, let scalar = Unicode.Scalar(number)
    else { throw XMLElement.Malformed() }
    return Array(String(Character(scalar)).utf8)
  }

  @discardableResult
  private mutating func skipBlanks() -> Bool {
    let count = rest.prefix(while: ASCII.isWhitespace).count
    rest = rest.dropFirst(count)
    return count > 0
  }

  private mutating func take(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  /// Takes the bytes up to the end, and the end with them.
  private mutating func takeAll(
    upTo end: String, atMost most: Int = 4096
  ) throws(XMLElement.Malformed) -> ArraySlice<UInt8> {
    var count = 0
    while count <= most, count < rest.count {
      let taken = rest.prefix(count)
      if rest.dropFirst(count).starts(with: end.utf8) {
        rest = rest.dropFirst(count + end.utf8.count)
        return taken
      }
      count += 1
    }
    throw XMLElement.Malformed()
  }
}
