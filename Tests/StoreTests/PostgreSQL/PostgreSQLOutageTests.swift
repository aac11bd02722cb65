import AtelierProtocol
import Glibc
import POSIX
import Support
import Synchronization
import Testing

@testable import Store

@Suite("A PostgreSQL server that is away or silent", .withPostgreSQL, .timeLimit(.minutes(3)))
struct PostgreSQLOutageTests {
  let database: TestDatabase
  let fixture: StoreFixture
  let proxy: SocketProxy
  init() throws {
    database = try TestDatabase()
    fixture = try StoreFixture()
    proxy = try SocketProxy(to: TestDatabase.folder ?? "")
  }

  private func server(_ clock: ServerClock) -> PostgreSQLServer {
    var server = database.server
    server.address.hosts = [.init(name: proxy.folder, port: 5432)]
    server.clock = clock.clock
    return server
  }

  /// A store for whose waits no time passes but on this clock.
  private func open(_ clock: ServerClock) async throws(StoreError) -> Store {
    try await Store.open(
      directory: DataDirectory(path: "\(fixture.temporary.path)/data"), server: server(clock),
      surroundings: fixture.surroundings)
  }

  private static func look(_ store: Store) async throws -> Int? {
    try await store.read { try $0.value("SELECT CAST(5 AS BIGINT) AS five", as: Int.self) }
  }

  private static func change(_ store: Store) async throws {
    try await store.write { _ = try $0.value("SELECT CAST(5 AS BIGINT) AS five", as: Int.self) }
  }

  @Test("each outage is bridged anew, whether or not anything was asked over a connection since the one before")
  func again() async throws {
    let clock = ServerClock()
    let store = try await open(clock)
    for number in 0..<3 {
      proxy.setDown(true)
      let (begun, tries) = (clock.elapsed, proxy.connections)
      let error = await #expect(throws: AtelierError.self, "outage \(number)") { try await Self.look(store) }
      #expect(error?.kind == .storageUnavailable)
      #expect(clock.elapsed - begun > .seconds(11) && proxy.connections - tries > 5, "outage \(number)")
      // By now it is known: nobody else waits.
      let known = clock.elapsed
      await #expect(throws: AtelierError.self) { try await Self.change(store) }
      await #expect(throws: AtelierError.self) { try await store.checkReady() }
      #expect(clock.elapsed == known, "outage \(number)")
      proxy.setDown(false)
      // Only the writer notices that the server is back.
      try await Self.change(store)
      clock.advance(by: .seconds(3_600))
      proxy.setDown(true)
      clock.inPause(3) { [proxy] in proxy.setDown(false) }
      #expect(try await Self.look(store) == 5, "outage \(number)")
      try await store.checkReady()
    }
    await store.close()
  }

  @Test("a server that takes what it is sent and never answers is given up, then asked by nobody for a while, then again")
  func mute() async throws {
    let clock = ServerClock(step: .milliseconds(50))
    let store = try await open(clock)
    let engine = try #require(store.engine as? PostgreSQLEngine)
    engine.reach.watch(true)
    for number in 0..<3 {
      proxy.setMute(true)
      let (begun, tries) = (clock.elapsed, proxy.connections)
      // Seven at once.
      let results = await withTaskGroup(of: Result<Void, any Error>.self) { group in
        for call in 0..<7 {
          group.addTask {
            await Result.of {
              if call.isMultiple(of: 2) { _ = try await Self.look(store) } else { try await Self.change(store) }
            }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(results.allSatisfy { ($0.error as? AtelierError)?.kind == .storageUnavailable }, "\(results)")
      #expect(clock.elapsed - begun < .seconds(30), "round \(number): \(clock.elapsed - begun)")
      #expect((1...2).contains(proxy.connections - tries), "round \(number): \(proxy.connections - tries)")
      let asked = proxy.connections
      await #expect(throws: AtelierError.self) { try await Self.look(store) }
      await #expect(throws: AtelierError.self) { try await store.checkReady() }
      #expect(proxy.connections == asked, "round \(number)")
      proxy.setMute(false)
      clock.advance(by: PostgreSQLReach.pause)
      #expect(try await Self.look(store) == 5)
      try await Self.change(store)
      try await store.checkReady()
    }
    engine.reach.watch(false)
    await store.close()
  }

  @Test("a server that lets nobody in and says nothing is not waited for when a store is opened")
  func muteAtFirst() async throws {
    let clock = ServerClock(step: .milliseconds(100))
    proxy.setMute(true)
    let error = await #expect(throws: StoreError.self) { try await open(clock) }
    #expect(error?.kind == .failed && error?.sentence.contains("has not answered") == true, "\(error?.sentence ?? "")")
    #expect(error?.isPermanent == false && clock.elapsed < .seconds(10), "\(clock.elapsed)")
  }

  @Test(
    "a statement that takes long is waited for while the server answers others, and not otherwise",
    arguments: [true, false])
  func slow(isHeardOf: Bool) throws {
    let clock = ServerClock(step: .milliseconds(10))
    let reach = PostgreSQLReach(clock: clock.clock)
    let slow = try server(clock).connect(for: .readingWhole, over: reach)
    reach.watch(true)
    let isDone = Atomic<Bool>(false)
    // As heartbeats do.
    let other = PostgreSQLLink(server(clock), for: .heartbeats, over: reach)
    _ = try other.withConnection { try $0.exchange([.init(text: "SELECT 1")]) }
    try DedicatedThread.start {
      while isHeardOf, !isDone.load(ordering: .acquiring) {
        _ = try? other.withConnection { try $0.exchange([.init(text: "SELECT 1")]) }
        // Each look at the clock lets time pass: without a pause, the longest time of an answer, on a fast machine.
        usleep(2_000)
      }
    }
    // On the clock of the test, both take too long. Of the one that is given up the end is never waited for.
    let seconds = isHeardOf ? 2.5 : 60
    let text = "SELECT pg_sleep(\(seconds)), CAST(3 AS BIGINT) AS three"
    let fault = Result { try slow.exchange([.init(text: text)]) }.error
    isDone.store(true, ordering: .releasing)
    #expect((fault == nil) == isHeardOf && slow.isLost == !isHeardOf)
    #expect((fault as? PostgreSQLFault)?.isSilence != false)
  }

  @Test("a silent address leaves the others their time, and what a server says is told")
  func addresses() throws {
    let other = try SocketProxy(to: TestDatabase.folder ?? "")
    proxy.setMute(true)
    let clock = ServerClock(step: .milliseconds(20))
    var server = server(clock)
    server.address.hosts.append(.init(name: other.folder, port: 5432))
    _ = try server.connect(for: .reading)
    #expect(proxy.connections == 1 && other.connections == 1)
    server.address.database = "not_there"
    let fault = #expect(throws: PostgreSQLFault.self) { try server.connect(for: .reading) }
    #expect(fault?.state == "3D000")
    let numbers = PostgreSQLTarget.all(
      of: PostgreSQLAddress(hosts: [.init(name: "127.0.0.1", port: 7)], user: "a", database: "b", transport: "disable"))
    #expect(numbers == [PostgreSQLTarget(host: .init(name: "127.0.0.1", port: 7), number: "127.0.0.1")])
  }

  @Test("a schema that becomes newer under a service at work is noticed with the next heartbeat or connection, for good")
  func newer() async throws {
    let store = try await open(ServerClock())
    try await Self.change(store)
    _ = try database.owner.connect(for: .writing).exchange([.init(text: "UPDATE atelier_schema SET version = 99")])
    let presence = try #require((store.presence as? OwnPresences)?.leases)
    let found = #expect(throws: StoreError.self) { try presence.heartbeat() }
    #expect(found?.kind == .newerDatabase && found?.isPermanent == true)
    for _ in 0..<2 {
      let error = await #expect(throws: AtelierError.self) { try await Self.change(store) }
      #expect(error?.kind == .internal && error?.hint?.contains("newer version") == true, "\(String(describing: error))")
      #expect(await store.currentFault()?.reason.kind == .newerDatabase)
    }
    await store.close()
  }

  @Test("a schema that became newer during an outage is noticed by the connection that comes after it")
  func newerAfterOutage() async throws {
    let store = try await open(ServerClock())
    _ = try database.owner.connect(for: .writing).exchange([.init(text: "UPDATE atelier_schema SET version = 99")])
    try database.terminateAll()
    let error = await #expect(throws: AtelierError.self) { try await Self.change(store) }
    #expect(error?.kind == .internal && error?.hint?.contains("newer version") == true, "\(String(describing: error))")
    #expect(await store.currentFault()?.isLasting == true)
    await store.close()
  }
}
