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

  private func machine(
    _ name: String, bucket: MemoryStorage? = nil, _ change: (inout PostgreSQLServer) -> Void = { _ in }
  ) async throws -> Store {
    var server = database.server
    change(&server)
    return try await Store.open(
      directory: DataDirectory(path: "\(fixture.temporary.path)/\(name)"), server: server, bucket: bucket?.pictures(),
      surroundings: fixture.surroundings)
  }

  /// Lets the lease of a process be over, as when it is stopped or cut off.
  private func silence(_ store: Store) throws {
    let end = PostgreSQLConnection.Statement(
      text: "UPDATE process_lease SET lease = \(PostgreSQLPresence.now) - 3600000 WHERE process = ?",
      values: [store.process.rawValue])
    _ = try database.server.connect(for: .writing).exchange([end])
  }

  private func metered(isRequeueable: Bool = false, within timeLimitMs: Int = 60_000) -> Acceptance {
    fixture.acceptance(
      "anna", isRequeueable: isRequeueable, timeLimitMs: timeLimitMs, metering: Metering(credits: 1, limits: []))
  }

  /// Two machines, and what an account can spend on both.
  private func bought() async throws -> (first: Store, second: Store, credits: Int) {
    let (first, second) = (try await machine("one"), try await machine("two") { $0.leases.lease = .seconds(600) })
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

  @Test(
    "a silent process loses what it works on a lease after the limit of that very generation, and then settles nothing",
    arguments: [1_000, 60_000, 600_000])
  func overdue(limit: Int) async throws {
    let (first, second, credits) = try await bought()
    let (asked, longer) = (metered(within: limit), metered(within: limit + 10_000))
    for each in [asked, longer] { _ = try await first.begin(each) }
    try silence(first)
    fixture.clock.advance(by: Int64(limit) + 599_000)
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
    // The other one has its own time.
    #expect(try await first.succeed(longer.id, with: [2], credits: 0).finished != nil)
    #expect(try await first.generation(asked.id, account: nil)?.state == .interrupted)
    #expect(try await second.creditSums(of: "anna").available == credits)
    #expect(try await second.auditLedger() == [])
  }

  @Test("the waiting time of a generation does not count as its work")
  func waited() async throws {
    let (first, second, _) = try await bought()
    let asked = metered(within: 60_000)
    _ = try await first.accept(asked)
    fixture.clock.advance(by: 3_600_000)
    _ = try await first.start(asked.id)
    try silence(first)
    fixture.clock.advance(by: 659_000)
    #expect(try await second.recover().interrupted == [])
    fixture.clock.advance(by: 2_000)
    #expect(try await second.recover().interrupted.map(\.id) == [asked.id])
  }

  // MARK: Silent is not dead

  @Test("the pictures of a process that is only silent are not swept, and it records them when it comes back")
  func pausedWithPictures() async throws {
    let storage = MemoryStorage()
    let (first, second) = (try await machine("one", bucket: storage), try await machine("two", bucket: storage))
    let asked = metered()
    _ = try await first.grantCredits(5, to: "anna", because: "a test")
    _ = try await first.begin(asked)
    let staged = try await first.stage([1, 2, 3], mimeType: "image/png")
    try silence(first)
    _ = try await second.recoverAndSweep()
    #expect(storage.names == [staged.artifact.name])
    // Nor when somebody else stages and discards the same content.
    await second.discard(try await second.stage([1, 2, 3], mimeType: "image/png"))
    #expect(storage.names == [staged.artifact.name])
    let settlement = Settlement(
      id: asked.id, state: .succeeded,
      files: [GenerationFile(index: 0, source: .staged(staged), width: 4, height: 3, credits: 1)])
    #expect(try await first.finish(settlement).finished?.creditsCharged == 1)
    #expect(try await second.check().findings.isEmpty)
  }

  @Test("the pictures of a process that has ended are swept, and it records none of them if it was not dead after all")
  func endedWithPictures() async throws {
    let storage = MemoryStorage()
    let (first, second) = (try await machine("one", bucket: storage), try await machine("two", bucket: storage))
    let asked = metered()
    _ = try await first.begin(asked)
    let staged = try await first.stage([1, 2, 3], mimeType: "image/png")
    try database.endLease(of: first.process)
    _ = try await second.recoverAndSweep()
    #expect(storage.names == [])
    let settlement = Settlement(
      id: asked.id, state: .succeeded,
      files: [GenerationFile(index: 0, source: .staged(staged), width: 4, height: 3, credits: 1)])
    let outcome = await Result.of { try await first.finish(settlement) }
    #expect(outcome.value?.finished == nil)
    #expect(try await second.check().findings.isEmpty)
  }

  @Test("a process that was stopped judges nobody before it has renewed its lease, and proved itself anew")
  func stopped() async throws {
    let clock = ServerClock()
    let first = try await machine("one")
    let second = try await machine("two") {
      $0.clock = clock.clock
      ($0.leases.lease, $0.leases.proving) = (.seconds(30), .seconds(30))
    }
    let leases = try #require((second.presence as? OwnPresences)?.leases)
    /// Heartbeats for half a minute.
    func prove() throws {
      for _ in 0..<6 {
        clock.advance(by: .seconds(5))
        try leases.heartbeat()
      }
    }
    try silence(first)
    try prove()
    #expect(try leases.absences(among: [first.process]) == [first.process: .silent])
    // Stopped for longer than a lease: it has heard of nobody meanwhile.
    clock.advance(by: .seconds(31))
    #expect(try leases.absences(among: [first.process]) == [:])
    #expect(await !second.isGone(first.process))
    try leases.heartbeat()
    #expect(try leases.absences(among: [first.process]) == [:])
    clock.advance(by: .seconds(5))
    try leases.heartbeat()
    #expect(try leases.absences(among: [first.process]) == [:])
    try prove()
    #expect(try leases.absences(among: [first.process]) == [first.process: .silent])
  }

  @Test(
    "a process on a machine whose clock stood still judges nobody: its own lease has ended for the others",
    arguments: [true, false])
  func frozen(renewsFirst: Bool) async throws {
    let clock = ServerClock()
    let first = try await machine("one")
    let second = try await machine("two") {
      $0.clock = clock.clock
      ($0.leases.lease, $0.leases.proving) = (.seconds(30), .seconds(10))
    }
    let leases = try #require((second.presence as? OwnPresences)?.leases)
    for _ in 0..<2 {
      clock.advance(by: .seconds(5))
      try leases.heartbeat()
    }
    try silence(first)
    #expect(try leases.absences(among: [first.process]) == [first.process: .silent])
    // An hour of the server's, and none of its own.
    try silence(second)
    if renewsFirst { try leases.heartbeat() }
    #expect(try leases.absences(among: [first.process, ProcessID(rawValue: "never")]) == [:])
    try leases.heartbeat()
    #expect(try leases.absences(among: [first.process]) == [:])
    for _ in 0..<2 {
      clock.advance(by: .seconds(5))
      try leases.heartbeat()
    }
    #expect(try leases.absences(among: [first.process]) == [first.process: .silent])
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
