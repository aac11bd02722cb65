import AtelierProtocol
import Support
import Testing

@testable import Store

/// Two machines with one database: each has a data directory of its own.
@Suite("Processes that share a database on a server", .withPostgreSQL)
struct PostgreSQLPresenceTests {
  let database: TestDatabase
  let fixture: StoreFixture
  init() throws {
    database = try TestDatabase()
    fixture = try StoreFixture()
  }

  private func machine(_ name: String, _ change: (inout PostgreSQLServer) -> Void = { _ in }) async throws -> Store {
    var server = database.server
    change(&server)
    return try await Store.open(
      directory: DataDirectory(path: "\(fixture.temporary.path)/\(name)"), server: server,
      surroundings: fixture.surroundings)
  }

  /// Lets the lease of a process be over, as when it is stopped or cut off.
  private func silence(_ store: Store) throws {
    let end = PostgreSQLConnection.Statement(
      text: "UPDATE process_lease SET lease = 1 WHERE process = ?", values: [store.process.rawValue])
    _ = try database.server.connect(for: .writing).exchange([end])
  }

  private func metered(isRequeueable: Bool = false) -> Acceptance {
    fixture.acceptance("anna", isRequeueable: isRequeueable, metering: Metering(credits: 1, limits: []))
  }

  /// Two machines, and what an account can spend on both.
  private func bought() async throws -> (first: Store, second: Store, credits: Int) {
    let (first, second) = (try await machine("one"), try await machine("two"))
    _ = try await first.grantCredits(5, to: "anna", because: "a test")
    return (first, second, try await second.creditSums(of: "anna").available)
  }

  @Test("a process is alive while its lease lasts, silent after it, and ended once it has taken leave")
  func absences() async throws {
    let (first, second) = (try await machine("one"), try await machine("two"))
    #expect(try second.presence.absences(among: [first.process]) == [:])
    try silence(first)
    #expect(try second.presence.absences(among: [first.process]) == [first.process: .silent])
    await first.close()
    #expect(try second.presence.absences(among: [first.process]) == [first.process: .ended])
    #expect(await second.isGone(first.process))
  }

  @Test("a process judges nobody before it has itself been heard of for as long as it must")
  func proving() async throws {
    let first = try await machine("one")
    let second = try await machine("two") { $0.leases.proving = .seconds(3_600) }
    try silence(first)
    #expect(try second.presence.absences(among: [first.process, ProcessID(rawValue: "never")]) == [:])
    #expect(await !second.isGone(first.process))
  }

  @Test("a silent process loses what it has not sent, keeps what it has, and is refused the end of what it lost")
  func silent() async throws {
    let (first, second, credits) = try await bought()
    let (unsent, sent) = (metered(isRequeueable: true), metered())
    for one in [unsent, sent] { _ = try await first.begin(one) }
    try silence(first)
    let recovery = try await second.recover()
    #expect(recovery.requeued == 1 && recovery.interrupted == [])
    #expect(try await first.noteSending(unsent.id) == .ended(.queued))
    let late = try await first.finish(Settlement(id: unsent.id, state: .failed))
    guard case .taken(let row) = late else {
      Issue.record("\(late)")
      return
    }
    #expect(row.state == .running || row.state == .queued)
    #expect(try await second.generation(unsent.id, account: nil)?.state == .queued)
    // The picture that is paid for still counts, once.
    #expect(try await first.succeed(sent.id, with: [1], credits: 1).finished?.state == .succeeded)
    #expect(try await second.creditSums(of: "anna").available == credits - 2)
    #expect(try await second.auditLedger() == [])
  }

  @Test("a silent process loses what it was working on when the time of that is over, and then settles nothing")
  func overdue() async throws {
    let (first, second, credits) = try await bought()
    let asked = metered()
    _ = try await first.begin(asked)
    try silence(first)
    fixture.clock.advance(by: 359_000)
    _ = try await second.recover()
    let counter = RoundTripCounter()
    counter.attach(to: second)
    #expect(try await second.recover().interrupted == [])
    // A look at what waits too long, at who works, and at what could be taken: nothing is written.
    #expect(counter.take().count <= 4)
    fixture.clock.advance(by: 2_000)
    #expect(try await second.recover().interrupted.map(\.id) == [asked.id])
    let late = try await first.succeed(asked.id, with: [1], credits: 1)
    #expect(late.finished == nil)
    #expect(try await first.generation(asked.id, account: nil)?.state == .interrupted)
    #expect(try await second.creditSums(of: "anna").available == credits)
    #expect(try await second.auditLedger() == [])
  }

  @Test("a cancel on one machine is learnt on the other, and one of two that finish decides")
  func cancelled() async throws {
    let (first, second, credits) = try await bought()
    let asked = metered()
    _ = try await first.begin(asked)
    guard case .cancelled = try await second.cancel(asked.id, account: "anna") else {
      Issue.record("not cancelled")
      return
    }
    #expect(try await first.noteSending(asked.id) == .ended(.cancelled))
    #expect(try await first.succeed(asked.id, with: [1], credits: 1).finished == nil)
    #expect(try await first.creditSums(of: "anna").available == credits)
  }

  @Test("a key stands for one generation, whichever machine is asked", arguments: 1...4 as ClosedRange<UInt8>)
  func idempotency(number: UInt8) async throws {
    let (first, second, credits) = try await bought()
    var (one, two) = (metered(), metered())
    (one.idempotencyKey, two.idempotencyKey) = ("key-\(number)", "key-\(number)")
    async let left = first.accept(one)
    async let right = second.accept(two)
    let rows = try await [left.row, right.row]
    #expect(rows[0].id == rows[1].id)
    #expect(try await first.creditSums(of: "anna").available == credits - 1)
  }

  @Test("the time is the server's on every machine, whatever their clocks say")
  func time() async throws {
    let store = try await machine("one") { $0.givesTime = true }
    let hour: Int64 = 3_600_000
    fixture.clock.advance(by: -hour)
    let before: Int64 = try await store.read { session in
      try #require(
        try session.value("SELECT CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT)", as: Int64.self))
    }
    let told = store.surroundings.now().milliseconds
    #expect(abs(told - before) < 60_000, "\(told) \(before)")
  }
}
