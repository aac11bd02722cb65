import AtelierProtocol
import Glibc
import POSIX
import Support
import Synchronization
import Testing

@testable import Store

@Suite("A copy of a store", .withPostgreSQL, .onlySQLite)
struct StoreCopyTests {
  let fixture: StoreFixture
  let database: TestDatabase
  private let other: DataDirectory
  private var server: PostgreSQLServer { database.server }

  init() throws {
    fixture = try StoreFixture()
    database = try TestDatabase.empty()
    other = DataDirectory(path: fixture.temporary.path("other"))
  }

  private func copy(
    _ source: StoreCopy.Place, _ target: StoreCopy.Place, directory: DataDirectory? = nil,
    progress: @escaping @Sendable (StoreCopy.Progress) -> Void = { _ in }
  ) async throws -> StoreCopy.Report {
    try await StoreCopy(
      from: source, to: target, directory: directory ?? fixture.directory, surroundings: fixture.surroundings
    ).run(progress: progress)
  }

  private func refusal(_ source: StoreCopy.Place, _ target: StoreCopy.Place) async -> StoreError? {
    await #expect(throws: StoreError.self) { _ = try await copy(source, target) }
  }

  private func open(_ server: PostgreSQLServer?, in directory: DataDirectory? = nil) async throws -> Store {
    try await Store.open(
      directory: directory ?? fixture.directory, server: server, surroundings: fixture.surroundings)
  }

  private func filled(_ work: (Store) async throws -> Void = { _ in }) async throws -> TableCopy.Sums {
    let store = try await fixture.open()
    try await LedgerScene.fill(store, of: fixture)
    for _ in 0..<3 {
      let id = try await store.begin(fixture.acceptance(prompt: "ein Café ☕ 'mit' \\ und \"?\""))
      try await store.succeed(id, with: [UInt8(truncatingIfNeeded: fixture.next()), 2])
      _ = try await store.keepFeedback(rating: 5, text: "gut", of: id, account: nil)
    }
    _ = try await store.accept(fixture.acceptance(isRequeueable: true))
    try await work(store)
    let sums = try await sums(of: store)
    await store.close()
    return sums
  }

  /// A row in each table that a finished scene leaves empty.
  private static func addWhatComesAndGoes(_ session: any SQLSession) throws {
    let (file, key) = (String(repeating: "0", count: 66), String(repeating: "0", count: 64))
    try session.fileNotes.insert(file, by: ProcessID(rawValue: "p"), number: .max)
    try session.run("INSERT INTO file_removal (name, process) VALUES (?, 'p')", [file])
    try session.run("INSERT INTO search_span (first, past, starts) VALUES (1, 2, ?)", [Bytes([0, 255])])
    try session.run("INSERT INTO search_bits (first, part, bits) VALUES (1, 0, ?)", [Bytes([])])
    try session.run("INSERT INTO location_answer (digest, answer, created, expires) VALUES ('d', '[]', 1, 2)")
    try session.run("INSERT INTO queue_pause (account, since) VALUES ('', 1)")
    try session.run(
      """
      INSERT INTO provider_cooldown (provider, model, until, kind, message, details, set_at)
      VALUES ('gemini', '', 1, 'rate_limited', '', '{}', 1)
      """)
    try session.run(
      """
      INSERT INTO prepared (id, account, artifact, width, height, created, expires)
      SELECT 'prep_a', 'owner', name, 1, 2, 3, 4 FROM artifact LIMIT 1
      """)
    for row in [
      "generation_annotation (generation_id, metadata, is_favorite) SELECT id, '{}', 1",
      "generation_cache_key (generation_id, key) SELECT id, '\(key)'", "generation_interest SELECT id, 'p'",
      "generation_loss SELECT 'p', id, 9",
      "generation_turn SELECT id, 0, '1'", "generation_watch SELECT id, 9, NULL",
      "session_step SELECT id, 's', account, 5", "waiting_generation SELECT id, account, 'gemini', 9, 0",
      "queued_generation SELECT 'gemini', ordinal, id, account, '', process, NULL",
    ] {
      try session.run("INSERT INTO \(row) FROM generation WHERE state = 'running' AND is_private = 0 ORDER BY id LIMIT 1")
    }
  }

  private func sums(of store: Store) async throws -> TableCopy.Sums { try await store.read { try TableCopy().sums(of: $0) } }

  private func isEmpty() throws -> Bool {
    let session = PostgreSQLSession(try server.connect(for: .reading), beginning: [])
    return try session.value("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == 0
  }

  // MARK: There and back

  @Test("a copy has every row of every table, and comes back the same")
  func thereAndBack() async throws {
    try await EveryStatement(fixture: fixture, trace: nil).run()
    let before = try await filled { try await $0.write { try Self.addWhatComesAndGoes($0) } }
    let empty = before.filter { $0.value.rows == 0 }.map(\.key).sorted()
    #expect(empty == [])
    let report = try await copy(.directory(fixture.directory), .server(server))
    #expect(report.rows == before.rows && report.lost == [] && report.copied == 0)
    let moved = try await open(server)
    #expect(try await sums(of: moved).firstDifference(from: before) == nil)
    #expect(try await moved.auditLedger() == [])
    let last = try await moved.read { try $0.transfers.last() }
    #expect(last?.hash == report.lastTransfer?.hash && last?.seq == report.lastTransfer?.seq)
    #expect(try await moved.check().findings == [])
    await moved.close()

    let back = try await copy(.server(server), .directory(other))
    #expect(back.rows == before.rows && back.pictures == report.pictures && back.copied == back.pictures)
    let store = try await open(nil, in: other)
    #expect(try await sums(of: store).firstDifference(from: before) == nil)
    #expect(try await store.auditLedger() == [])
    #expect(try await store.check().findings == [])
    await store.close()
  }

  @Test("a copy on a server follows the rules, keeps sums and goes on with its numbers")
  func goesOn() async throws {
    _ = try await filled()
    _ = try await copy(.directory(fixture.directory), .server(server))
    let store = try await open(server)
    let rules: Int = try await store.number("SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal AND tgenabled = 'O'")
    let atCommit = PostgreSQLLedgerRules.namesAtCommit.count
    #expect(rules == Schema.triggers.count + PostgreSQLLedgerRules.triggers.count + atCommit)
    let deferrable = try await store.number("SELECT count(*) FROM pg_constraint WHERE condeferrable")
    #expect(deferrable == atCommit)
    let newest = try await store.number("SELECT max(ordinal) FROM generation")
    let id = try await store.begin(fixture.acceptance())
    try await store.succeed(id, with: [9, 9])
    #expect(try await store.number("SELECT ordinal FROM generation WHERE id = ?", [id.rawValue]) == newest + 1)
    _ = try await store.grantCredits(3, to: "anna0", because: "later")
    _ = try await store.keepPrepared(
      PreparedKeeping(
        id: "prep_later", account: .owner, generation: nil, reference: nil,
        source: .staged(try await store.stage([4], mimeType: "image/png")), width: 1, height: 1, lifetimeMs: 1_000))
    #expect(try await store.auditLedger() == [])
    await #expect(throws: AtelierError.self) { try await store.change("UPDATE transfer SET amount = 9") }
    await store.close()
  }

  @Test("a copy fills a database that is prepared for a service's role, which then works with it")
  func prepared() async throws {
    _ = try await filled()
    let role = try TestDatabase.makeService()
    _ = try PostgreSQLPreparation(server).run(for: role)
    let service = TestDatabase.server(named: server.address.database, user: role)
    let refused = await refusal(.directory(fixture.directory), .server(service))
    #expect(refused?.sentence.contains("does not own the tables") == true, "\(refused?.sentence ?? "")")
    _ = try await copy(.directory(fixture.directory), .server(server))
    let store = try await open(service)
    _ = try await store.grantCredits(1, to: "anna0", because: "a test")
    #expect(try await store.auditLedger() == [])
    await store.close()
    // Back, the role of the service will do: it may read everything.
    _ = try await copy(.server(service), .directory(other))
  }

  @Test("a copy to another data directory brings along the pictures, which a deletion there does not take from here")
  func pictures() async throws {
    _ = try await filled()
    let report = try await copy(.directory(fixture.directory), .server(server), directory: other)
    #expect(report.copied == report.pictures && report.copied > 3)
    let store = try await open(server, in: other)
    #expect(try await store.check().findings == [])
    _ = try await store.delete(.all(account: .owner))
    await store.close()
    let first = try await fixture.open()
    #expect(try await first.check().findings == [])
    await first.close()
  }

  @Test("a copy whose pictures are said to be in a bucket, and are in the folder, is refused")
  func bucket() async throws {
    _ = try await filled()
    let copy = StoreCopy(
      from: .directory(fixture.directory), to: .server(server), directory: fixture.directory, hasPictures: false,
      surroundings: fixture.surroundings)
    let refused = await #expect(throws: StoreError.self) { _ = try await copy.run() }
    #expect(refused?.sentence.contains("are in its folder") == true, "\(refused?.sentence ?? "")")
    #expect(try isEmpty())
  }

  @Test("a service on a server leaves the pictures alone that the database beside them may know")
  func unknownPictures() async throws {
    _ = try await filled()
    let pictures = try fixture.directory.artifactFiles()
    try #require(!pictures.isEmpty)
    // Somebody has named the server and copied nothing; a process has died besides.
    let first = try await open(server, in: fixture.directory)
    #expect(try await first.check().findings.contains { $0.sentence.contains("atelier store copy") })
    first.leftFiles.store(true, ordering: .relaxed)
    #expect(try await first.sweep() == 0)
    #expect(try fixture.directory.artifactFiles() == pictures)
    await first.close()
  }

  @Test("a copy says which pictures are lost, and is made all the same")
  func lostPicture() async throws {
    _ = try await filled()
    let name = StoredArtifact.name(sha256: StoredArtifact.digest([9, 1]), mimeType: "image/png")
    let store = try await fixture.open()
    try await store.succeed(try await store.begin(fixture.acceptance()), with: [9, 1])
    await store.close()
    try FileSystem.remove(fixture.directory.path(ofArtifact: name))
    let report = try await copy(.directory(fixture.directory), .server(server), directory: other)
    #expect(report.lost == [fixture.directory.path(ofArtifact: name)])
  }

  // MARK: Refusals

  @Test("a copy is refused while a process works with the data directory, or with the database on the server")
  func inUse() async throws {
    let store = try await fixture.open()
    let busy = await refusal(.directory(fixture.directory), .server(server))
    #expect(busy?.kind == .busy && busy?.sentence.contains("End it, then copy.") == true)
    await store.close()
    let moved = try await open(server, in: other)
    let there = await refusal(.directory(fixture.directory), .server(server))
    #expect(there?.kind == .busy && there?.sentence.contains("1 process") == true, "\(there?.sentence ?? "")")
    #expect(await refusal(.server(server), .directory(DataDirectory(path: fixture.temporary.path("third"))))?.kind == .busy)
    await moved.close()
    _ = try await copy(.directory(fixture.directory), .server(server))
  }

  @Test("a copy is refused when a process begins to work with the database on the server before it ends")
  func begun() async throws {
    _ = try await filled()
    _ = try await copy(.directory(fixture.directory), .server(server))
    let lease = PostgreSQLConnection.Statement(
      text: "INSERT INTO process_lease VALUES ('proc_late', \(PostgreSQLPresence.now) + 60000) ON CONFLICT DO NOTHING")
    let late = server
    let error = await #expect(throws: StoreError.self) {
      _ = try await copy(.server(server), .directory(other)) { _ in
        _ = try? late.connect(for: .heartbeats).exchange([lease])
      }
    }
    #expect(error?.kind == .busy)
    #expect(!FileStatus.exists(other.database))
  }

  @Test("a copy writes only into what is empty, and leaves what is there")
  func notEmpty() async throws {
    _ = try await filled()
    _ = try await copy(.directory(fixture.directory), .server(server))
    let second = await refusal(.directory(fixture.directory), .server(server))
    #expect(second?.sentence.contains("is not empty") == true, "\(second?.sentence ?? "")")
    let store = try await open(server)
    #expect(try await store.auditLedger() == [])
    await store.close()
    let here = await refusal(.server(server), .directory(fixture.directory))
    #expect(here?.sentence.contains("holds a database already") == true)
    let nothing = await refusal(.directory(other), .server(server))
    #expect(nothing?.sentence.contains("nothing to copy") == true && !FileStatus.exists(other.path))
  }

  @Test("a copy into a database of a newer version, or of something else, is refused")
  func foreign() async throws {
    _ = try await filled()
    let connection = try server.connect(for: .writing)
    _ = try connection.exchange([.init(text: "CREATE TABLE song (title TEXT)")])
    #expect(await refusal(.directory(fixture.directory), .server(server))?.kind == .foreignDatabase)
    _ = try connection.exchange([
      .init(text: "DROP TABLE song"), .init(text: "CREATE TABLE atelier_schema (version BIGINT NOT NULL)"),
      .init(text: "INSERT INTO atelier_schema VALUES (99)"),
    ])
    #expect(await refusal(.directory(fixture.directory), .server(server))?.kind == .newerDatabase)
  }

  @Test("a copy of a damaged ledger is refused, and the target stays empty")
  func damaged() async throws {
    _ = try await filled { store in
      try await store.write { session in
        try session.disableTriggers(of: "transfer")
        try session.run("UPDATE transfer SET amount = amount + 1 WHERE seq = 2")
      }
    }
    let error = await refusal(.directory(fixture.directory), .server(server))
    #expect(error?.sentence.contains("ledger of credits is damaged") == true, "\(error?.sentence ?? "")")
    #expect(try isEmpty())
  }

  @Test("a copy of a text with a zero character, which PostgreSQL cannot hold, has what every reader has seen of it")
  func zero() async throws {
    _ = try await filled { store in
      try await store.write { try $0.run("INSERT INTO template_use (template) VALUES ('a' || char(0) || 'b')") }
    }
    _ = try await copy(.directory(fixture.directory), .server(server))
    let store = try await open(server)
    #expect(try await store.read { try $0.values("SELECT template FROM template_use") } == ["a"])
    await store.close()
  }

  // MARK: Broken off

  @Test("a copy whose connection ends in its midst leaves an empty target, and is made again", arguments: [1, 12, 24])
  func cut(batches: Int) async throws {
    _ = try await filled()
    let seen = Atomic<Int>(0)
    let database = database
    let error = await #expect(throws: StoreError.self) {
      _ = try await copy(.directory(fixture.directory), .server(server)) { _ in
        if seen.add(1, ordering: .relaxed).newValue == batches { try? database.terminateAll() }
      }
    }
    #expect(error?.sentence.contains("cannot be used") == true, "\(error?.sentence ?? "")")
    #expect(try isEmpty())
    _ = try await copy(.directory(fixture.directory), .server(server))
  }

  @Test("a copy from a server whose connection ends in its midst leaves an empty data directory")
  func cutSource() async throws {
    _ = try await filled()
    _ = try await copy(.directory(fixture.directory), .server(server))
    let seen = Atomic<Int>(0)
    let database = database
    _ = await #expect(throws: StoreError.self) {
      _ = try await copy(.server(server), .directory(other)) { progress in
        if case .rows = progress, seen.add(1, ordering: .relaxed).newValue == 10 { try? database.terminateAll() }
      }
    }
    #expect(!FileStatus.exists(other.database))
    #expect(try FileSystem.names(in: other.temporary) == [])
    _ = try await copy(.server(server), .directory(other))
  }

  // MARK: Tables

  @Test("the tables of the schema are read as each engine has them")
  func tables() async throws {
    let store = try await fixture.open()
    let there: [String] = try await store.read {
      try $0.values("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    }
    #expect(SchemaTable.all.map(\.name).sorted() == there)
    for table in SchemaTable.all {
      let columns = try await store.read { try $0.rows("SELECT name, pk FROM pragma_table_info('\(table.name)')") }
      #expect(try columns.map { try $0.value("name", as: String.self) } == table.columns)
      let key = try columns.map { (try $0.value("name", as: String.self), try $0.value("pk", as: Int.self)) }
        .filter { $0.1 > 0 }.sorted { $0.1 < $1.1 }.map(\.0)
      #expect(key == table.key && !key.isEmpty)
    }
    await store.close()
  }

  @Test("every row counts once, however large rows are and however many pages a table has")
  func pages() async throws {
    let store = try await fixture.open()
    let large = String(repeating: "ä", count: 3_000_000)
    try await store.write { session in
      for number in 0..<5_000 { try session.run("INSERT INTO template_use (template) VALUES (?)", ["t\(number)"]) }
      for number in 0..<12 {
        try session.run(
          "INSERT INTO location_answer (digest, answer, created, expires) VALUES (?, ?, 1, 2)", ["d\(number)", large])
      }
    }
    let sums = try await sums(of: store)
    #expect(sums["template_use"]?.rows == 5_000 && sums["location_answer"]?.rows == 12)
    await store.close()
    let report = try await copy(.directory(fixture.directory), .server(server))
    #expect(report.rows == sums.rows)
    _ = try await copy(.server(server), .directory(other))
  }
}
