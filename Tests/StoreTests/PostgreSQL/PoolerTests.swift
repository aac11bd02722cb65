import AtelierProtocol
import Support
import Testing

@testable import Store

/// What stands between a store and its server, and shares the server's sessions or does not.
@Suite(
  "A pooler before a PostgreSQL server", .withPostgreSQL, .timeLimit(.minutes(3)),
  .enabled(if: Pooler.isInstalled, "PgBouncer is not installed"))
struct PoolerTests {
  let database: TestDatabase
  let fixture: StoreFixture
  init() throws {
    database = try TestDatabase()
    fixture = try StoreFixture()
  }

  private func pooler(_ mode: Pooler.Mode, _ settings: [String] = []) throws -> Pooler {
    try Pooler(mode, before: TestDatabase.folder ?? "", users: [database.server.address.user], settings: settings)
  }

  private func open(
    _ name: String, _ pooler: Pooler, _ clock: PostgreSQLClock = PostgreSQLClock()
  ) async throws(StoreError) -> Store {
    var server = database.server
    server.clock = clock
    server.address.hosts = [.init(name: pooler.folder, port: Pooler.port)]
    return try await Store.open(
      directory: DataDirectory(path: "\(fixture.temporary.path)/\(name)"), server: server,
      surroundings: fixture.surroundings)
  }

  @Test("a pooler in session mode lets two processes accept, finish, charge, search and audit as without it")
  func session() async throws {
    let pooler = try pooler(.session)
    let (first, second) = (try await open("one", pooler), try await open("two", pooler))
    _ = try await first.grantCredits(200, to: "anna", because: "a test")
    let credits = try await first.creditSums(of: "anna").available
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 as Range<UInt8> {
        let store = number.isMultiple(of: 2) ? first : second
        let asked = fixture.acceptance("anna", key: "key-\(number / 2)", metering: Metering(credits: 1, limits: []))
        group.addTask {
          guard case .accepted(let row) = try await store.accept(asked) else { return }
          _ = try await store.start(row.id)
          try await store.succeed(row.id, with: [number], credits: 1)
        }
      }
      try await group.waitForAll()
    }
    #expect(try await second.creditSums(of: "anna").available == credits - 20)
    let page = try await second.history(HistoryFilter(account: "anna", search: "lighthouse"), limit: 50)
    #expect(page.entries.count == 20)
    #expect(try await second.auditLedger() == [])
    // A connection that the pooler gives to somebody else is as new.
    try database.terminateAll()
    _ = try await first.grantCredits(1, to: "anna", because: "a test")
    // The first question of the other process finds that its connection has ended.
    _ = try? second.presence.absences(among: [first.process])
    #expect(try second.presence.absences(among: [first.process]) == [:])
    await first.close()
    let third = try await open("three", pooler)
    #expect(try await third.creditSums(of: "anna").available == credits - 19)
    await third.close()
    await second.close()
  }

  @Test(
    "a pooler in a mode that shares sessions is refused by one sentence, whatever it hides of that",
    arguments: [Pooler.Mode.transaction, .statement],
    [
      [], ["server_round_robin = 1", "min_pool_size = 4"], ["default_pool_size = 1"], ["server_reset_query_always = 1"],
    ])
  func shared(mode: Pooler.Mode, settings: [String]) async throws {
    let pooler = try pooler(mode, settings)
    for name in ["one", "two"] {
      let error = await #expect(throws: StoreError.self) { try await open(name, pooler) }
      #expect(error?.kind == .foreignDatabase && error?.isPermanent == true, "\(error?.sentence ?? "")")
      #expect(error?.sentence.contains("pool_mode = session") == true, "\(error?.sentence ?? "")")
    }
  }

  @Test("a pooler in session mode that leaves to one client what another has set is refused, or harmless")
  func leftovers() async throws {
    let pooler = try pooler(.session, ["server_reset_query ="])
    let first = try? await open("one", pooler)
    await first?.close()
    do {
      let second = try await open("two", pooler)
      _ = try await second.grantCredits(1, to: "anna", because: "a test")
      await second.close()
    } catch let error as StoreError {
      #expect(error.sentence.contains("server_reset_query"), "\(error.sentence)")
    }
  }

  @Test("a pooler that has fewer sessions than a process needs is told of, and holds nobody up", arguments: [1, 3])
  func few(sessions: Int) async throws {
    let pooler = try pooler(.session, ["default_pool_size = \(sessions)"])
    let clock = ServerClock(step: .milliseconds(50))
    let error = await #expect(throws: StoreError.self) { try await open("one", pooler, clock.clock) }
    #expect(error?.sentence.contains("four") == true && error?.isPermanent == false, "\(error?.sentence ?? "")")
  }

  @Test("a pooler that is switched to sharing sessions under a service at work is noticed by its heartbeats")
  func switched() async throws {
    let pooler = try pooler(.session)
    let store = try await open("one", pooler)
    let leases = try #require((store.presence as? OwnPresences)?.leases)
    try leases.heartbeat()
    // Somebody else has had the session since.
    try await store.write { try $0.run("SELECT 1") }
    let engine = try #require(store.engine as? PostgreSQLEngine)
    try engine.heartbeats.withConnection { connection in
      _ = try connection.exchange([.init(text: "SELECT set_config('\(PostgreSQLSettings.mark)', 'another', FALSE)")])
    }
    let verdict = #expect(throws: StoreError.self) { try leases.heartbeat() }
    #expect(verdict?.kind == .foreignDatabase)
    await #expect(throws: AtelierError.self) { try await store.checkReady() }
    await store.close()
  }
}
