/// A table of the schema, as the text of ``Schema/tables`` has it: for what treats all tables alike.
struct SchemaTable: Sendable, Equatable {
  var name: String
  /// In their order.
  var columns: [String]
  /// The columns of its primary key.
  var key: [String]

  /// All tables, each after those that it refers to.
  static let all: [SchemaTable] = {
    var tables: [SchemaTable] = []
    for line in Schema.tables.split(separator: "\n") {
      if let name = line.firstMatch(of: /^CREATE TABLE (\w+) \($/)?.output.1 {
        tables.append(SchemaTable(name: String(name), columns: [], key: []))
      } else if !tables.isEmpty {
        tables[tables.count - 1].read(line)
      }
    }
    return tables
  }()

  private mutating func read(_ line: Substring) {
    if let column = line.firstMatch(of: /^  (\w+) (?:INTEGER|TEXT|REAL|BLOB)\b/)?.output.1 {
      columns.append(String(column))
      if line.contains(" PRIMARY KEY") { key = [String(column)] }
    } else if let list = line.firstMatch(of: /^  PRIMARY KEY \(([\w, ]+)\)/)?.output.1 {
      key = list.split(separator: ", ").map(String.init)
    }
  }

  /// What puts one row in.
  /// - Parameter words: what an engine wants said, so that the numbers of rows are taken as they are.
  func insertion(_ words: String) -> String {
    let places = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    return "INSERT INTO \(name) (\(columns.joined(separator: ", "))) \(words) VALUES (\(places))"
  }

  /// The rows that follow the one with the key `last`, or the first, in the order of the key.
  func page(after last: SQLValues?, limit: Int) -> SQLQuery {
    let (list, places) = (key.joined(separator: ", "), Array(repeating: "?", count: key.count).joined(separator: ", "))
    let condition = last == nil ? "" : key.count == 1 ? "WHERE \(list) > ?" : "WHERE (\(list)) > (\(places))"
    return SQLQuery(
      "SELECT \(columns.joined(separator: ", ")) FROM \(name) \(condition) ORDER BY \(list) LIMIT ?",
      (last ?? []) + [limit])
  }
}
