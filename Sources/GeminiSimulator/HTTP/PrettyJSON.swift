import JSONRPC

/// Writes JSON as Google's front end does unless told otherwise: indented by two spaces.
struct PrettyJSON {
  private(set) var bytes: [UInt8] = []
  private var depth = 0

  mutating func write(_ value: JSONValue) {
    switch value {
    case .object(let object) where !object.isEmpty:
      list(object, opening: "{", closing: "}") { writer, member in
        writer.bytes += JSONValue.string(member.key).serialized()
        writer.bytes += Array(": ".utf8)
        writer.write(member.value)
      }
    case .array(let array) where !array.isEmpty:
      list(array, opening: "[", closing: "]") { writer, element in writer.write(element) }
    default: bytes += value.serialized()
    }
  }

  private mutating func list<List: Sequence>(
    _ list: List, opening: String, closing: String, _ write: (inout PrettyJSON, List.Element) -> Void
  ) {
    bytes += Array(opening.utf8)
    depth += 1
    var isFirst = true
    for element in list {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      newLine()
      write(&self, element)
    }
    depth -= 1
    newLine()
    bytes += Array(closing.utf8)
  }

  private mutating func newLine() {
    bytes.append(UInt8(ascii: "\n"))
    for _ in 0..<depth * 2 { bytes.append(UInt8(ascii: " ")) }
  }
}
