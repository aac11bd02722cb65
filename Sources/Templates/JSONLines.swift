import JSONRPC

/// Finds the line of a JSON text that a JSON Pointer or a byte stands on.
struct JSONLines {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// From 1.
  func line(at offset: Int) -> Int { 1 + bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") } }

  /// The line of the value that `pointer` names, or of what comes nearest to it: a missing member is where its object
  /// begins. In a text that is no JSON the place is where it ceases to be.
  func line(of pointer: String) -> Int {
    let keys = pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
      String($0).replacing("~1", with: "/").replacing("~0", with: "~")
    }
    var walk = JSONWalk(bytes)
    return line(at: walk.offset(of: keys[...]))
  }
}

/// One walk through a JSON text, over what is not looked for.
private struct JSONWalk {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Where the value begins that `keys` lead to, or the last one on the way.
  mutating func offset(of keys: ArraySlice<String>) -> Int {
    skipSpace()
    let start = position
    guard let key = keys.first else { return start }
    let isObject = byte == UInt8(ascii: "{")
    guard isObject || byte == UInt8(ascii: "[") else { return start }
    position += 1
    var index = 0
    while true {
      skipSpace()
      guard let next = byte, next != UInt8(ascii: "}"), next != UInt8(ascii: "]") else { return start }
      var name = String(index)
      if isObject {
        name = member()
        skipSpace()
        position += 1
      }
      if name == key { return offset(of: keys.dropFirst()) }
      skipValue()
      skipSpace()
      if byte == UInt8(ascii: ",") { position += 1 }
      index += 1
    }
  }

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
  }

  private mutating func member() -> String {
    let start = position
    skipString()
    return (try? JSONValue(parsing: Array(bytes[start..<position])))?.string ?? ""
  }

  /// Ends behind the closing quotation mark, or at the end of the text; one byte further at least.
  private mutating func skipString() {
    position += 1
    while let byte, byte != UInt8(ascii: "\"") { position += byte == UInt8(ascii: "\\") ? 2 : 1 }
    position = min(position + 1, bytes.count)
  }

  private mutating func skipValue() {
    skipSpace()
    var depth = 0
    repeat {
      switch byte {
      case nil: return
      case UInt8(ascii: "\""): skipString()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        position += 1
      default: position += 1
      }
      if depth > 0 { continue }
      // The rest of a number or a word.
      while let byte, byte != UInt8(ascii: ","), byte != UInt8(ascii: "}"), byte != UInt8(ascii: "]") { position += 1 }
    } while depth > 0
  }
}
