import Synchronization

@testable import Store

/// A session as an engine on another machine has it: it asks what is prefetched in one round trip, and sends changes
/// whose number nobody asks for with whatever comes next.
final class PipelinedSession: SQLSession {
  private let engine: any SQLSession
  private var answers: [SQLQuery: [SQLRow]] = [:]
  private var noted: [SQLQuery: [SQLRow]] = [:]
  private var deferred: [SQLQuery] = []
  /// How often it has waited for an answer.
  private(set) var roundTrips = 0
  /// The first words of what each round trip was made for, for the message of a test that fails.
  private(set) var reasons: [String] = []

  init(_ engine: any SQLSession) { self.engine = engine }

  func rows(_ text: String, _ values: SQLValues) throws -> [SQLRow] {
    if let answer = noted[SQLQuery(text, values)] ?? answers[SQLQuery(text, values)] { return answer }
    try send(for: text)
    // `DELETE … RETURNING` is a query that changes something.
    if !text.hasPrefix("SELECT"), !text.hasPrefix("WITH") { answers = [:] }
    return try engine.rows(text, values)
  }

  func change(_ text: String, _ values: SQLValues) throws -> Int {
    answers = [:]
    try send(for: text)
    return try engine.change(text, values)
  }

  func run(_ text: String, _ values: SQLValues) {
    answers = [:]
    deferred.append(SQLQuery(text, values))
  }

  func prefetch(_ queries: @autoclosure () throws -> [SQLQuery]) throws {
    let unknown = try queries().filter { (noted[$0] ?? answers[$0]) == nil }
    guard let first = unknown.first else { return }
    try send(for: first.text)
    for query in unknown { answers[query] = try engine.rows(query) }
  }

  func note(_ answer: [SQLRow], to query: SQLQuery) { noted[query] = answer }

  func lock(_ lock: SQLLock) {}

  /// Sends the last changes, with the end of the transaction.
  func finish() throws { try sendDeferred() }

  /// The session itself, for changes that are made behind this one's back.
  var underlying: any SQLSession {
    get throws {
      answers = [:]
      try sendDeferred()
      return engine
    }
  }

  private func send(for text: String) throws {
    roundTrips += 1
    reasons.append(String(text.prefix(60)))
    try sendDeferred()
  }

  private func sendDeferred() throws {
    for change in deferred { try engine.run(change.text, change.values) }
    deferred = []
  }
}

/// Counts the transactions of a store and their round trips.
final class RoundTripCounter: SessionObserver {
  /// What one transaction would cost.
  struct Transaction: Sendable {
    /// With the one that ends it, if it wrote.
    var roundTrips: Int
    var reasons: [String]
  }

  private let seen = Mutex<[Transaction]>([])

  /// Those since the last call.
  func take() -> [Transaction] {
    seen.withLock { seen in
      defer { seen = [] }
      return seen
    }
  }

  func observe<Value>(_ session: any SQLSession, _ work: (any SQLSession) throws -> Value) throws -> Value {
    let pipelined = PipelinedSession(session)
    defer {
      let transaction = Transaction(roundTrips: pipelined.roundTrips + 1, reasons: pipelined.reasons)
      seen.withLock { $0.append(transaction) }
    }
    let value = try work(pipelined)
    try pipelined.finish()
    return value
  }

  func attach(to store: Store) { store.observer.withLock { $0 = self } }
}
