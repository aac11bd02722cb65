/// A value in a column or in place of a parameter.
enum SQLValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes([UInt8])

  var isNull: Bool { self == .null }
}

/// A type whose values columns can hold.
protocol SQLRepresentable {
  var sqlValue: SQLValue { get }
  /// Nil for a value of another kind, which is damage.
  init?(sqlValue: SQLValue)
}

extension Int64: SQLRepresentable {
  var sqlValue: SQLValue { .integer(self) }
  init?(sqlValue: SQLValue) {
    guard case .integer(let number) = sqlValue else { return nil }
    self = number
  }
}

extension Int: SQLRepresentable {
  var sqlValue: SQLValue { .integer(Int64(self)) }
  init?(sqlValue: SQLValue) {
    guard let number = Int64(sqlValue: sqlValue) else { return nil }
    self.init(exactly: number)
  }
}

/// A truth is 0 or 1.
extension Bool: SQLRepresentable {
  var sqlValue: SQLValue { .integer(self ? 1 : 0) }
  init?(sqlValue: SQLValue) {
    guard let number = Int64(sqlValue: sqlValue) else { return nil }
    self = number != 0
  }
}

extension Double: SQLRepresentable {
  var sqlValue: SQLValue { isNaN ? .null : .real(self) }
  init?(sqlValue: SQLValue) {
    switch sqlValue {
    case .real(let number): self = number
    case .integer(let number): self = Double(number)
    case .null, .text, .bytes: return nil
    }
  }
}

extension String: SQLRepresentable {
  var sqlValue: SQLValue { .text(self) }
  init?(sqlValue: SQLValue) {
    guard case .text(let text) = sqlValue else { return nil }
    self = text
  }
}

extension SQLValue: SQLRepresentable {
  var sqlValue: SQLValue { self }
  init?(sqlValue: SQLValue) { self = sqlValue }
}

/// The values of a statement's parameters, in their order.
struct SQLValues: Sendable, Hashable, ExpressibleByArrayLiteral {
  private(set) var values: [SQLValue]

  init(_ values: [SQLValue]) { self.values = values }

  init(arrayLiteral elements: (any SQLRepresentable)?...) { values = elements.map { $0?.sqlValue ?? .null } }

  static func + (left: SQLValues, right: SQLValues) -> SQLValues { SQLValues(left.values + right.values) }
  static func += (left: inout SQLValues, right: SQLValues) { left = left + right }
}
