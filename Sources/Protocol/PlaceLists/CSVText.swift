/// The rows of a CSV file (RFC 4180), as spreadsheets write it: with commas, semicolons or tabs.
struct CSVText {
  /// One record, and the line on which it begins, from 1.
  struct Row: Equatable, Sendable {
    var line: Int
    var fields: [String]
  }

  /// The records; empty lines are none.
  let rows: [Row]

  /// - Parameter bytes: checked UTF-8.
  init(_ bytes: [UInt8]) {
    let named = Self.namedSeparator(bytes)
    let separator = named?.separator ?? Self.separator(bytes)
    var rows: [Row] = []
    // The line that names the separator is no row.
    var (isQuoted, line, position) = (false, named == nil ? 1 : 2, named?.end ?? 0)
    var row = Row(line: line, fields: [])
    var field: [UInt8] = []
    func endField() {
      row.fields.append(String(decoding: field, as: UTF8.self))
      field = []
    }
    func endRow() {
      endField()
      if row.fields != [""] { rows.append(row) }
    }
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\n") { line += 1 }
      switch byte {
      case UInt8(ascii: "\"") where isQuoted && position < bytes.count && bytes[position] == UInt8(ascii: "\""):
        field.append(byte)
        position += 1
      case UInt8(ascii: "\"") where isQuoted || field.isEmpty: isQuoted.toggle()
      case separator where !isQuoted: endField()
      case UInt8(ascii: "\n") where !isQuoted:
        if field.last == UInt8(ascii: "\r") { field.removeLast() }
        endRow()
        row = Row(line: line, fields: [])
      default: field.append(byte)
      }
    }
    if !field.isEmpty || !row.fields.isEmpty { endRow() }
    self.rows = rows
  }

  /// The separator that a first line such as `sep=;` names, as spreadsheets write and read it, and where the next line
  /// begins.
  private static func namedSeparator(_ bytes: [UInt8]) -> (separator: UInt8, end: Int)? {
    let first = bytes.prefix { $0 != UInt8(ascii: "\n") }
    let text = first.last == UInt8(ascii: "\r") ? first.dropLast() : first
    guard text.count == 5, String(decoding: text.prefix(4), as: UTF8.self).lowercased() == "sep=", let separator = text.last,
      separator < 0x80
    else { return nil }
    return (separator, min(first.count + 1, bytes.count))
  }

  /// What stands between the names of the first line most often.
  private static func separator(_ bytes: [UInt8]) -> UInt8 {
    let first = bytes.prefix { $0 != UInt8(ascii: "\n") }
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    return candidates.max { one, other in
      first.count { $0 == one } < first.count { $0 == other }
    } ?? UInt8(ascii: ",")
  }
}
