/// The rows of a CSV file (RFC 4180), as spreadsheets write it: with commas, semicolons or tabs.
struct CSVText {
  /// One record, and the line on which it begins, from 1.
  struct Row: Equatable, Sendable {
    var line: Int
    var fields: [String]
  }

  /// The records; empty lines are none.
  let rows: [Row]

  init(_ bytes: [UInt8]) {
    let separator = Self.separator(bytes)
    var rows: [Row] = []
    var row = Row(line: 1, fields: [])
    var field: [UInt8] = []
    var (isQuoted, line, position) = (false, 1, 0)
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

  /// What stands between the names of the first line most often.
  private static func separator(_ bytes: [UInt8]) -> UInt8 {
    let first = bytes.prefix { $0 != UInt8(ascii: "\n") }
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    return candidates.max { one, other in
      first.count { $0 == one } < first.count { $0 == other }
    } ?? UInt8(ascii: ",")
  }
}
