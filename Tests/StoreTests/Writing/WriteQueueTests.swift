import AtelierProtocol
import Dispatch
import GRDB
import Support
import Synchronization
import Testing

@testable import Store

@Suite("Writes that arrive together", .onlySQLite)
struct WriteQueueTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  /// How often something happened.
  private final class Count: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .acquiring) }
    func add() { count.add(1, ordering: .acquiringAndReleasing) }
  }

  struct Broken: Error, Equatable {
    var number: Int
  }

  /// A store with a table to write into, whose rows are numbered in the order they were written, and a trigger that
  /// refuses numbers below zero.
  private func openWithSlate(_ fixture: StoreFixture) async throws -> Store {
    let store = try await fixture.open()
    try await store.write { session in
      try session.run("CREATE TABLE slate (place INTEGER PRIMARY KEY AUTOINCREMENT, number INTEGER NOT NULL)")
      try session.run(
        """
        CREATE TRIGGER slate_refuses AFTER INSERT ON slate WHEN NEW.number < 0
        BEGIN SELECT RAISE(ABORT, 'refused'); END
        """)
    }
    return store
  }

  private func slate(_ store: Store) async throws -> [Int] {
    try await store.read { try $0.values("SELECT number FROM slate ORDER BY place") }
  }

  private static func put(_ number: Int, _ session: any SQLSession) throws -> Int {
    try session.run("INSERT INTO slate (number) VALUES (?)", [number])
    return number
  }

  @Test(
    "the writes that arrive together share as few transactions as allowed and keep the order of their arrival",
    arguments: [1, 2, 256, 257, 600])
  func share(count: Int) async throws {
    let store = try await openWithSlate(fixture)
    let watcher = try store.watchCommits()
    let results = try await store.together(
      (0..<count).map { number in { try await store.write { try Self.put(number, $0) } } })
    #expect(results.compactMap(\.value) == Array(0..<count))
    #expect(try await slate(store) == Array(0..<count))
    #expect(watcher.commits == (count + WriteQueue.mostTogether - 1) / WriteQueue.mostTogether)
  }

  @Test("one that must be alone gets a transaction of its own, in its turn")
  func alone() async throws {
    let store = try await openWithSlate(fixture)
    let watcher = try store.watchCommits()
    _ = try await store.together(
      (0..<7).map { number in
        { try await store.write(isAlone: number == 0 || number == 3) { try Self.put(number, $0) } }
      })
    #expect(try await slate(store) == Array(0..<7))
    #expect(watcher.commits == 4)
  }

  @Test("a write that need not be durable waits for the disk only with one that must be")
  func cheap() async throws {
    let store = try await fixture.open()
    for (isDurable, others, wanted) in [(false, false, 1), (false, true, 2), (true, false, 2)] {
      let levels = try await store.together(
        [isDurable, others].map { isDurable in
          { try await store.write(isDurable: isDurable) { try $0.value("PRAGMA synchronous", as: Int.self) } }
        })
      #expect(levels.map(\.value) == [wanted, wanted])
    }
    #expect(try await store.writer.read { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 2)
  }

  enum Change: CaseIterable {
    /// Is kept.
    case put
    /// Writes, then throws.
    case giveUp
    /// Writes, then meets a trigger that refuses.
    case meetTrigger
    /// Writes, and its transaction fails at its end.
    case loseCommit
    /// Writes, and ends the whole transaction, as SQLite does itself on a full disk.
    case endTransaction
  }

  private static func make(
    _ change: Change, _ number: Int, _ watcher: CommitWatcher, _ session: any SQLSession
  ) throws -> Int {
    let value = try put(number, session)
    switch change {
    case .put: break
    case .giveUp: throw Broken(number: number)
    case .meetTrigger: _ = try put(-1, session)
    case .loseCommit: watcher.refuseThis()
    case .endTransaction: try session.run("ROLLBACK")
    }
    return value
  }

  @Test(
    "the writes undo only themselves when they fail, whatever the failure; each caller hears what became of its own",
    arguments: 0..<24 as Range<UInt64>)
  func mix(seed: UInt64) async throws {
    let fixture = try StoreFixture(seed: seed)
    var random = SplitMix64(seed: seed)
    let store = try await openWithSlate(fixture)
    let watcher = try store.watchCommits()
    // Every other seed without what makes a transaction fail as a whole, so that savepoints are tried as well.
    let kinds = seed.isMultiple(of: 2) ? Change.allCases : [.put, .giveUp, .meetTrigger]
    let changes = (0..<Int.random(in: 1...40, using: &random)).map { number in
      (number, Bool.random(using: &random) ? .put : kinds.randomElement(using: &random) ?? .put)
    }
    let results = try await store.together(
      changes.map { number, change in
        { try await store.writes.run { try Self.make(change, number, watcher, $0) } }
      })
    #expect(try await slate(store) == changes.filter { $0.1 == .put }.map(\.0), "seed \(seed)")
    for ((number, change), result) in zip(changes, results) {
      let isRight =
        switch change {
        case .put: result.value == number
        case .giveUp: result.error as? Broken == Broken(number: number)
        case .meetTrigger: (result.error as? DatabaseError)?.message == "refused"
        case .loseCommit: result.error is CommitWatcher.Refusal
        case .endTransaction: result.error != nil
        }
      #expect(isRight, "seed \(seed): \(number) \(change): \(result)")
    }
  }

  @Test("the writes that fit are kept, each once, although others fill the disk and SQLite takes the transaction back",
    arguments: 1..<12)
  func full(position: Int) async throws {
    let store = try await openWithSlate(fixture)
    // The second pass, with a savepoint for each, meets the full disk as well: one of them gives up on its own.
    let broken = position / 2
    try await store.writer.writeWithoutTransaction { database in
      let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
      try database.execute(sql: "PRAGMA max_page_count = \(pages + 8)")
    }
    let results = try await store.together(
      (0..<12).map { number in
        {
          try await store.write { session in
            if number == position {
              try session.run("CREATE TABLE bulk (bytes BLOB)")
              try session.run("INSERT INTO bulk VALUES (zeroblob(1000000))")
            }
            let value = try Self.put(number, session)
            if number == broken { throw Broken(number: number) }
            return value
          }
        }
      })
    #expect(try await slate(store) == (0..<12).filter { $0 != position && $0 != broken })
    for (number, result) in results.enumerated() {
      switch number {
      case position where position != broken:
        #expect((result.error as? AtelierError)?.kind == .storageFull, "\(number): \(result)")
      case broken: #expect(result.error != nil, "\(number): \(result)")
      default: #expect(result.value == number, "\(number): \(result)")
      }
    }
  }

  @Test("the writes all fail and nothing is kept when no transaction can be kept; afterwards the store goes on")
  func nothingKept() async throws {
    let store = try await openWithSlate(fixture)
    let watcher = try store.watchCommits()
    watcher.refuseAll(true)
    let results = try await store.together(
      (0..<9).map { number in { try await store.write { try Self.put(number, $0) } } })
    #expect(results.allSatisfy { ($0.error as? AtelierError)?.kind == .internal })
    #expect(try await slate(store).isEmpty)
    watcher.refuseAll(false)
    #expect(try await store.write { try Self.put(9, $0) } == 9)
    #expect(try await slate(store) == [9])
  }

  @Test("the writes are all told at once when another process keeps the lock for too long")
  func busy() async throws {
    let store = try await openWithSlate(fixture)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: fixture.directory.database, configuration: configuration)
    try await other.writeWithoutTransaction { try $0.beginTransaction(.immediate) }
    let runs = Count()
    let busyPolicy = try store.busyPolicy
    let end = DispatchSemaphore(value: 0)
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "impatient").async {
        busyPolicy.waitingBriefly {
          continuation.resume()
          end.wait()
        }
      }
    }
    defer { end.signal() }
    let results = try await store.together(
      (0..<5).map { number in
        {
          try await store.write { session in
            runs.add()
            return try Self.put(number, session)
          }
        }
      })
    #expect(results.allSatisfy { ($0.error as? AtelierError)?.kind == .overloaded })
    #expect(runs.value == 0)
    try await other.writeWithoutTransaction { try $0.rollback() }
    #expect(try await store.write { try Self.put(9, $0) } == 9)
    #expect(try await slate(store) == [9])
  }

  @Test("the writes all fail when the store closes before their turn")
  func closing() async throws {
    let store = try await openWithSlate(fixture)
    let results = try await store.together(
      (0..<5).map { number in
        {
          if number == 2 { Task { await store.close() } }
          return try await store.write { try Self.put(number, $0) }
        }
      })
    let outcomes = results.map { ($0.error as? AtelierError)?.message }
    // Closing may come before or after them, never between.
    #expect(outcomes.allSatisfy { $0 == nil } || outcomes.allSatisfy { $0 == AtelierError.storeClosed.message })
  }
}
