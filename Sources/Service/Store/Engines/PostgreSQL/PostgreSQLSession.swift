/// A transaction on a PostgreSQL server, in as few round trips as its statements allow.
///
/// What begins the transaction, and each change whose number nobody asks for, is sent with whatever comes next.
final class PostgreSQLSession: SQLSession {
  private let connection: PostgreSQLConnection
  /// What is sent with the next exchange.
  private var deferred: [PostgreSQLConnection.Statement]
  /// What was prefetched, until anything is changed.
  private var answers: [SQLQuery: [SQLRow]] = [:]
  /// What was asked for several changes together, for each what it has asked: none asks for what another one writes.
  private var foreseen: [[SQLQuery: [SQLRow]]] = []
  /// What was said to be the answer.
  private var noted: [SQLQuery: [SQLRow]] = [:]
  /// Whether anything was sent: then the transaction must be ended.
  private(set) var hasBegun = false

  /// - Parameter beginning: the statements that begin the transaction.
  init(_ connection: PostgreSQLConnection, beginning: [PostgreSQLConnection.Statement]) {
    self.connection = connection
    deferred = beginning
  }

  func rows(_ text: String, _ values: SQLValues) throws -> [SQLRow] {
    if let answer = answer(to: SQLQuery(text, values)) { return answer }
    // `DELETE … RETURNING` is a query that changes something.
    if !text.hasPrefix("SELECT"), !text.hasPrefix("WITH") { answers = [:] }
    guard case .rows(let rows) = try send([.init(text: text, values: values)]).last else { return [] }
    return rows
  }

  func change(_ text: String, _ values: SQLValues) throws -> Int {
    answers = [:]
    guard case .changes(let count) = try send([.init(text: text, values: values)]).last else { return 0 }
    return count
  }

  func run(_ text: String, _ values: SQLValues) {
    answers = [:]
    deferred.append(.init(text: text, values: values))
  }

  func prefetch(_ queries: @autoclosure () throws -> [SQLQuery]) throws {
    let unknown = try queries().filter { answer(to: $0) == nil }
    if unknown.isEmpty { return }
    for (query, answer) in zip(unknown, try send(unknown.map { .init(text: $0.text, values: $0.values) })) {
      if case .rows(let rows) = answer { answers[query] = rows }
    }
  }

  func note(_ answer: [SQLRow], to query: SQLQuery) { noted[query] = answer }

  private func answer(to query: SQLQuery) -> [SQLRow]? { noted[query] ?? answers[query] }

  func lock(_ lock: SQLLock) { deferred.append(AdvisoryLock(lock).statement) }

  // MARK: Many changes

  /// Asks what several changes read.
  func foresee(_ foresights: [Foresight]) throws {
    guard connection.sendsAhead else { return }
    let queries = try foresights.map { Set(try $0.queries()) }
    answers = [:]
    try prefetch(queries.reduce(into: Set()) { $0.formUnion($1) } + [])
    foreseen = queries.map { queries in
      queries.reduce(into: [:]) { own, query in own[query] = answers[query] }
    }
  }

  /// Begins the next of the changes for which was asked, or one that asks for itself.
  func beginChange() { answers = foreseen.isEmpty ? [:] : foreseen.removeFirst() }

  /// Sends the last changes, so that the server makes them while the next ones are decided.
  func push() throws(PostgreSQLFault) {
    if deferred.isEmpty || !connection.sendsAhead { return }
    hasBegun = true
    try connection.push(deferred)
    deferred = []
  }

  // MARK: The end

  /// Sends the last changes and then `end`, and waits for the answers.
  func finish(with end: PostgreSQLConnection.Statement) throws(PostgreSQLFault) {
    _ = try send([end])
  }

  /// Ends the transaction without waiting for the answer. Does nothing when it has not begun.
  func leave(with end: PostgreSQLConnection.Statement) {
    guard hasBegun, !connection.isLost else { return }
    try? connection.post([end])
  }

  /// - Returns: the answers to `statements`, without those to what was deferred.
  private func send(
    _ statements: [PostgreSQLConnection.Statement]
  ) throws(PostgreSQLFault) -> [PostgreSQLConnection.Answer] {
    let first = deferred
    deferred = []
    hasBegun = true
    return Array(try connection.exchange(first + statements).dropFirst(first.count))
  }
}

/// A lock that one transaction on the server has at a time, by a number.
struct AdvisoryLock {
  var number: Int64

  /// Credits, the queue and the states of generations.
  static let ledger = AdvisoryLock(number: 0x6174_656C_0000_0001)
  /// The tables themselves, while they are made or brought up to date.
  static let schema = AdvisoryLock(number: 0x6174_656C_0000_0002)

  init(number: Int64) { self.number = number }

  init(_ lock: SQLLock) {
    switch lock {
    case .ledger: self = .ledger
    case .file(let name): self = AdvisoryLock(name: "file:\(name)")
    }
  }

  /// The lock on a name: FNV-1a, which spreads names over the numbers. Two names that share one wait for each other.
  init(name: String) {
    let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    number = Int64(bitPattern: hash)
  }

  /// Waits for it, and keeps it until the transaction ends.
  var statement: PostgreSQLConnection.Statement {
    .init(text: "SELECT pg_advisory_xact_lock(?)", values: [number])
  }
}
