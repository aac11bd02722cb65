/// Finds the line and column in a JSON text of a JSON Pointer or a byte offset.
public struct JSONLines: Sendable {
  /// A position in a text, counted from 1 as editors do.
  public struct Position: Sendable, Equatable {
    public var line: Int
    /// In Unicode code points.
    public var column: Int

    public init(line: Int, column: Int) { (self.line, self.column) = (line, column) }
  }

  private let bytes: [UInt8]

  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The position of the byte `offset`, or of the end for a larger one.
  public func position(at offset: Int) -> Position {
    let before = bytes.prefix(max(0, offset))
    let line = before.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // Bytes of the form 10xxxxxx continue a code point.
    return Position(line: line.count, column: 1 + (line.last ?? []).count { $0 & 0xC0 != 0x80 })
  }

  /// The position of the value that `pointer` names, or the nearest one: for a missing member, the beginning of its
  /// object; in an invalid JSON text, the position where it becomes invalid.
  public func position(of pointer: String) -> Position {
    let keys = pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
      String($0).replacing("~1", with: "/").replacing("~0", with: "~")
    }
    var walk = JSONWalk(bytes)
    return position(at: walk.offset(of: keys[...]))
  }

  /// The line of the byte `offset`, from 1.
  public func line(at offset: Int) -> Int { position(at: offset).line }

  /// The line of the value that `pointer` names, as ``position(of:)``.
  public func line(of pointer: String) -> Int { position(of: pointer).line }
}

/// Scans a JSON text, skipping values that are not searched for.
private struct JSONWalk {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The position of the value at the path `keys`, or of the last value found on that path.
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

  /// Ends after the closing quotation mark, or at the end of the text; advances at least one byte.
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
      // The rest of a number or a literal.
      while let byte, byte != UInt8(ascii: ","), byte != UInt8(ascii: "}"), byte != UInt8(ascii: "]") { position += 1 }
    } while depth > 0
  }
}
