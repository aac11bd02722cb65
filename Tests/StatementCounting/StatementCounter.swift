import Synchronization

@testable import Store

/// The statements that a store sends, in their order: without those that begin and end transactions, and without those of
/// triggers.
public final class StatementCounter: SessionObserver {
  private let seen = Mutex<[String]>([])
  private let begun = Atomic<Int>(0)
  private let found = Atomic<Int>(0)

  public var statements: [String] { seen.withLock(\.self) }
  /// How many transactions sent them.
  public var transactions: Int { begun.load(ordering: .acquiring) }

  /// How many rows they have found.
  public var rows: Int { found.load(ordering: .acquiring) }

  public init() {}

  /// From now on.
  public func attach(to store: Store) { store.observer.withLock { $0 = self } }

  public func observe<Value>(_ session: any SQLSession, _ work: (any SQLSession) throws -> Value) throws -> Value {
    begun.add(1, ordering: .acquiringAndReleasing)
    return try work(CountingSession(engine: session, counter: self))
  }

  fileprivate func note(found count: Int) { found.add(count, ordering: .acquiringAndReleasing) }
  fileprivate func note(_ text: String) { seen.withLock { $0.append(text) } }
}

private struct CountingSession: SQLSession {
  let engine: any SQLSession
  let counter: StatementCounter

  func rows(_ text: String, _ values: SQLValues) throws -> [SQLRow] {
    counter.note(text)
    let rows = try engine.rows(text, values)
    counter.note(found: rows.count)
    return rows
  }

  func change(_ text: String, _ values: SQLValues) throws -> Int {
    counter.note(text)
    return try engine.change(text, values)
  }

  func run(_ text: String, _ values: SQLValues) throws {
    counter.note(text)
    try engine.run(text, values)
  }

  func prefetch(_ queries: @autoclosure () throws -> [SQLQuery]) throws { try engine.prefetch(try queries()) }
  func note(_ answer: [SQLRow], to query: SQLQuery) { engine.note(answer, to: query) }
  func lock(_ lock: SQLLock) throws { try engine.lock(lock) }
}
