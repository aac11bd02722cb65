/// The database as a transaction sees it: how a statement is said, once for every engine.
///
/// A statement is written once, in the SQL that SQLite and PostgreSQL have in common. What the engines spell differently
/// has one fixed phrase, which an engine translates: `INDEXED BY name` is a hint that may be dropped, and
/// `IN (SELECT value FROM json_each(?))` means one of the list that a value has as JSON.
///
/// Each statement may be a round trip: read first and together, write after, and refuse before the first write.
protocol SQLSession {
  /// The rows that a query finds, in its order.
  func rows(_ text: String, _ values: SQLValues) throws -> [SQLRow]

  /// Changes rows.
  /// - Returns: how many.
  func change(_ text: String, _ values: SQLValues) throws -> Int

  /// Changes rows whose number nobody asks for. An engine may send it later, but before the next query and before the
  /// end of the transaction; a failure then surfaces there and undoes the transaction.
  func run(_ text: String, _ values: SQLValues) throws

  /// Says which queries come next, so that an engine that is far away answers them in one round trip. An answer is used
  /// for the same text with the same values, until anything is changed. What is answered already is not asked again, and
  /// an engine to which every answer is near does not evaluate `queries`.
  func prefetch(_ queries: @autoclosure () throws -> [SQLQuery]) throws

  /// Says what a query finds from here on, because the caller has just written it. An engine to which every answer is near
  /// looks it up all the same.
  func note(_ answer: [SQLRow], to query: SQLQuery)

  /// Waits until no other transaction has the lock, and keeps it until this one ends. On an engine that lets one
  /// transaction write at a time, every transaction that writes has it from the beginning.
  func lock(_ lock: SQLLock) throws
}

/// Sees the statements of each transaction of a store.
protocol SessionObserver: Sendable {
  /// Runs `work` with the session, or with another one in its place.
  func observe<Value>(_ session: any SQLSession, _ work: (any SQLSession) throws -> Value) throws -> Value
}

/// What a transaction may have to itself.
enum SQLLock: Sendable {
  /// Credits, the queue and the states of generations.
  case ledger
  /// A file that is named by its content.
  case file(name: String)
}

/// A query and its values. A table gives one for each look-up that may be prefetched, under the same name.
struct SQLQuery: Sendable, Hashable {
  var text: String
  var values: SQLValues

  init(_ text: String, _ values: SQLValues = []) {
    self.text = text
    self.values = values
  }
}

extension SQLSession {
  func rows(_ query: SQLQuery) throws -> [SQLRow] { try rows(query.text, query.values) }
  func row(_ query: SQLQuery) throws -> SQLRow? { try rows(query).first }
  func finds(_ query: SQLQuery) throws -> Bool { try row(query) != nil }

  func value<Value: SQLRepresentable>(_ query: SQLQuery, as type: Value.Type = Value.self) throws -> Value? {
    try row(query)?.first()
  }

  func rows(_ text: String) throws -> [SQLRow] { try rows(text, []) }

  /// The first row that a query finds. The query says itself that it wants no more.
  func row(_ text: String, _ values: SQLValues = []) throws -> SQLRow? { try rows(text, values).first }

  /// The first column of the first row; nil where there is none or it is null.
  func value<Value: SQLRepresentable>(
    _ text: String, _ values: SQLValues = [], as type: Value.Type = Value.self
  ) throws -> Value? {
    try row(text, values)?.first()
  }

  /// The first column of every row.
  func values<Value: SQLRepresentable>(
    _ text: String, _ values: SQLValues = [], as type: Value.Type = Value.self
  ) throws -> [Value] {
    try rows(text, values).map { row in
      guard let value: Value = try row.first() else { throw UnreadableColumn(name: row.columns.names.first ?? "") }
      return value
    }
  }

  /// Whether a query finds anything.
  func finds(_ text: String, _ values: SQLValues = []) throws -> Bool { try row(text, values) != nil }

  func run(_ text: String) throws { try run(text, []) }

  /// Changes as many rows as were found before.
  /// - Throws: ``SQLFault/damaged(_:)`` when it is another number. In a damaged file an index may name a row that its
  ///   table does not have: a loop that deletes rows until it finds none would never end.
  func change(_ text: String, _ values: SQLValues, expecting count: Int) throws {
    guard try change(text, values) == count else { throw SQLFault.damaged("a row that was found is not there") }
  }
}
