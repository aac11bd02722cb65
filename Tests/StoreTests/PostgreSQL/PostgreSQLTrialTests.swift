import AtelierProtocol
import POSIX
import Support
import Testing

@testable import Store

/// What storing needs is tried before a provider is paid: when a store is opened, and after each fault.
@Suite("What a store tries of a PostgreSQL server", .withPostgreSQL, .serialized, .timeLimit(.minutes(5)))
struct PostgreSQLTrialTests {
  let database: TestDatabase
  let fixture: StoreFixture
  let role: String
  let service: PostgreSQLServer

  init() throws {
    database = try TestDatabase.empty()
    fixture = try StoreFixture()
    role = try TestDatabase.makeService()
    _ = try PostgreSQLPreparation(database.server).run(for: role)
    service = TestDatabase.server(named: database.server.address.database, user: role)
  }

  private func own(_ text: String) throws {
    _ = try database.server.connect(for: .writing).exchange([.init(text: text)])
  }

  private func open(_ server: PostgreSQLServer? = nil) async throws(StoreError) -> Store {
    try await Store.open(
      directory: fixture.directory, server: server ?? service, surroundings: fixture.surroundings)
  }

  private func refusal() async -> StoreError? {
    await #expect(throws: StoreError.self) { try await open() }
  }

  @Test("a role with fewer connections than a process uses is refused before anything is accepted", arguments: 1...3)
  func connections(limit: Int) async throws {
    try TestDatabase.run("ALTER ROLE \(role) CONNECTION LIMIT \(limit)")
    let error = await refusal()
    #expect(error?.kind == .failed && error?.isPermanent == false)
    let sentence = error?.sentence ?? ""
    #expect(sentence.contains("CONNECTION LIMIT") && sentence.contains("four"), "\(sentence)")
    // The server ends the connections of the refused opening in its own time.
    try TestDatabase.run("ALTER ROLE \(role) CONNECTION LIMIT 10")
    let store = try await open()
    try await store.checkReady()
    await store.close()
  }

  /// Each change to a table that services must be able to make.
  private static let needs: [(right: String, table: String)] = PostgreSQLRoles.privileges.sorted { $0.key < $1.key }
    .flatMap { table, changes in
      (["SELECT"] + Schema.Privilege.list(changes).map(\.text)).map { (right: $0, table: table) }
    }

  @Test("a role that lacks any right to a table is refused with its name, and let in when it has it again")
  func rights() async throws {
    #expect(Self.needs.count > 90)
    let opening = PostgreSQLOpening(server: service)
    for (right, table) in Self.needs {
      try own("REVOKE \(right) ON \(table) FROM \(role)")
      let error = #expect(throws: (any Error).self, "\(right) on \(table)") {
        try opening.openAll(over: PostgreSQLReach())
      }
      let sentence = (error as? StoreError)?.sentence ?? (error as? PostgreSQLFault)?.message ?? ""
      #expect(sentence.contains(table), "\(right) on \(table): \(sentence)")
      try own("GRANT \(right) ON \(table) TO \(role)")
    }
    let store = try await open()
    await store.close()
  }

  @Test(
    "a role that lacks the use of the schema or a function, or whose rows are hidden, is refused with what it lacks",
    arguments: [
      ("REVOKE EXECUTE ON FUNCTION atelier_member FROM PUBLIC", "atelier_member"),
      ("REVOKE EXECUTE ON FUNCTION instr FROM PUBLIC", "instr"),
      ("REVOKE EXECUTE ON FUNCTION pg_advisory_xact_lock(bigint) FROM PUBLIC", "pg_advisory_xact_lock"),
      ("ALTER TABLE transfer ENABLE ROW LEVEL SECURITY", "transfer"),
    ])
  func beside(statement: String, name: String) async throws {
    try own(statement)
    let error = await refusal()
    #expect(error?.sentence.contains(name) == true, "\(error?.sentence ?? "")")
  }

  @Test(
    "a right that is taken away while a picture is made is missed by the next request; then the picture is stored")
  func takenAway() async throws {
    let store = try await open()
    _ = try await store.grantCredits(5, to: "anna", because: "a test")
    let id = try await store.begin(fixture.acceptance("anna", metering: Metering(credits: 1, limits: [])))
    let staged = try await store.stage([1], mimeType: "image/png")
    let settlement = Settlement(
      id: id, state: .succeeded,
      files: [GenerationFile(index: 0, source: .staged(staged), width: 4, height: 3, credits: 1)])
    try own("REVOKE INSERT ON generation_file FROM \(role)")
    let late = await #expect(throws: AtelierError.self) { try await store.finish(settlement) }
    #expect(late?.kind == .storageUnavailable)
    for _ in 0..<2 {
      let refused = await #expect(throws: AtelierError.self) { try await store.accept(fixture.acceptance("anna")) }
      #expect(refused?.kind == .storageUnavailable)
    }
    #expect(await store.status().problem != nil)
    #expect(await store.currentFault()?.reason.sentence.contains("generation_file") == true)
    try own("GRANT INSERT ON generation_file TO \(role)")
    try await store.checkReady()
    #expect(try await store.finish(settlement).finished?.creditsCharged == 1)
    #expect(await store.status().problem == nil)
    await store.close()
  }

  /// A picture that a provider has delivered for one credit, and that is not recorded yet.
  private func paid(_ store: Store) async throws -> Settlement {
    _ = try await store.grantCredits(5, to: "anna", because: "a test")
    let id = try await store.begin(fixture.acceptance("anna", key: "k", metering: Metering(credits: 1, limits: [])))
    let staged = try await store.stage([1], mimeType: "image/png")
    return Settlement(
      id: id, state: .succeeded,
      files: [GenerationFile(index: 0, source: .staged(staged), width: 400, height: 300, credits: 1)])
  }

  /// Lets the server refuse rows of a table, with the code of a full disk unless another one is given.
  private func refuse(_ table: String, when condition: String = "TRUE", code: String = "53100") throws {
    try own(
      """
      CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS '
      BEGIN RAISE EXCEPTION USING ERRCODE = ''\(code)'', MESSAGE = ''refused''; END'
      """)
    try own("CREATE TRIGGER refuses BEFORE INSERT ON \(table) FOR EACH ROW WHEN (\(condition)) EXECUTE FUNCTION refuse()")
  }

  /// That a paid request is refused with the reason, which `status` has as well.
  private func expectRefusal(_ store: Store, with kind: ErrorKind, saying words: String) async {
    for _ in 0..<2 {
      let error = await #expect(throws: AtelierError.self) { try await store.checkReadyToPay() }
      #expect(error?.kind == kind && error?.retryable != false, "\(String(describing: error))")
      #expect(error?.hint?.contains(words) == true, "\(error?.hint ?? "")")
      #expect(error?.hint?.contains("The database on the server") == true || words.contains("disk"))
      let problem = await store.status().problem
      #expect(problem?.contains(words) == true, "\(problem ?? "healthy")")
    }
  }

  @Test(
    "a server that takes no more rows of one table is found before the first request is paid, and by a check",
    arguments: ["artifact", "generation", "generation_file", "file_note"])
  func fullTable(table: String) async throws {
    let store = try await open()
    try refuse(table)
    await expectRefusal(store, with: .storageFull, saying: "disk")
    #expect(try await store.check().findings.contains { $0.kind == .unwritable })
    try own("DROP TRIGGER refuses ON \(table)")
    try await store.checkReadyToPay()
    #expect(await store.status().problem == nil)
    await store.close()
  }

  @Test("a change that only fails as it was written is tried again as it was, before anything is paid, until it succeeds")
  func asItFailed() async throws {
    let store = try await open()
    try await store.checkReadyToPay()
    let settlement = try await paid(store)
    // A trial's picture is smaller.
    try refuse("generation_file", when: "NEW.width > 100")
    let late = await #expect(throws: AtelierError.self) { try await store.finish(settlement) }
    #expect(late?.kind == .storageFull)
    await expectRefusal(store, with: .storageFull, saying: "disk")
    try own("DROP TRIGGER refuses ON generation_file")
    try await store.checkReadyToPay()
    #expect(await store.status().problem == nil)
    // What was tried was undone.
    #expect(try await store.generation(settlement.id, account: nil)?.state == .running)
    #expect(try await store.finish(settlement).finished?.creditsCharged == 1)
    #expect(try await store.auditLedger() == [])
    await store.close()
  }

  @Test("rows that row security hides are told to be hidden: nothing seems deleted or damaged, and all is there again later")
  func hiddenRows() async throws {
    let store = try await open()
    let settlement = try await paid(store)
    #expect(try await store.finish(settlement).finished?.creditsCharged == 1)
    let tables = PostgreSQLRoles.privileges.keys.sorted()
    for table in tables { try own("ALTER TABLE \(table) ENABLE ROW LEVEL SECURITY") }
    let key = await #expect(throws: AtelierError.self) {
      try await store.generation(ofKey: "k", of: "anna", paramsHash: [UInt8](repeating: 7, count: 32))
    }
    #expect(key?.kind == .storageUnavailable && key?.hint?.contains("BYPASSRLS") == true, "\(String(describing: key))")
    let found = await #expect(throws: AtelierError.self) { try await store.generation(settlement.id, account: nil) }
    #expect(found?.kind == .storageUnavailable)
    await expectRefusal(store, with: .storageUnavailable, saying: "BYPASSRLS")
    let restarted = await refusal()
    #expect(restarted?.kind == .failed && restarted?.isPermanent == false)
    #expect(restarted?.sentence.contains("BYPASSRLS") == true && restarted?.sentence.contains("not damaged") == true)
    try TestDatabase.run("ALTER ROLE \(role) BYPASSRLS")
    try await store.checkReadyToPay()
    #expect(try await store.generation(settlement.id, account: nil)?.state == .succeeded)
    try TestDatabase.run("ALTER ROLE \(role) NOBYPASSRLS")
    for table in tables { try own("ALTER TABLE \(table) DISABLE ROW LEVEL SECURITY") }
    try await store.checkReadyToPay()
    #expect(try await store.generation(settlement.id, account: nil)?.state == .succeeded)
    await store.close()
  }

  @Test(
    "a paid picture waits for what somebody has hidden or is restoring, and is stored when it is there again",
    arguments: [
      ("REVOKE USAGE ON SCHEMA public FROM PUBLIC, ROLE", "GRANT USAGE ON SCHEMA public TO ROLE"),
      ("ALTER TABLE generation_file RENAME TO gone", "ALTER TABLE gone RENAME TO generation_file"),
      ("ALTER TABLE artifact RENAME COLUMN mime_type TO gone", "ALTER TABLE artifact RENAME COLUMN gone TO mime_type"),
    ])
  func restored(taking: String, giving: String) async throws {
    let store = try await open()
    let settlement = try await paid(store)
    try own(taking.replacing("ROLE", with: role))
    let late = await #expect(throws: AtelierError.self) { try await store.finish(settlement) }
    #expect(late?.kind == .storageUnavailable && late?.isRetryable == true, "\(String(describing: late))")
    await expectRefusal(store, with: .storageUnavailable, saying: "The database on the server")
    try own(giving.replacing("ROLE", with: role))
    try await store.checkReadyToPay()
    #expect(try await store.finish(settlement).finished?.creditsCharged == 1)
    await store.close()
  }

  @Test("a database whose tables are there before their rows is being restored, and not damaged")
  func restoring() async throws {
    try own("DELETE FROM atelier_schema")
    let error = await refusal()
    #expect(error?.kind == .failed && error?.isPermanent == false)
    #expect(error?.sentence.contains("If a backup is being put in its place") == true, "\(error?.sentence ?? "")")
  }

  @Test("the words of a server reach status and hints, which name the server and not where it is", arguments: [
    "25006", "28000", "28P01", "3D000", "42501", "42P01", "53100", "53300", "58030",
  ])
  func reasons(code: String) {
    let fault = PostgreSQLFault(state: code, message: "its own words")
    let error = PostgreSQLError.reason(fault, server: service)
    #expect(error?.sentence.contains(service.address.shown) == true)
    let hint = error?.atelierError.hint ?? ""
    #expect(hint.contains("the server") && !hint.contains("data directory"), "\(hint)")
    #expect(!hint.contains(service.address.shown), "\(hint)")
    #expect(hint.contains("its own words") || ["25006", "53100"].contains(code), "\(hint)")
  }

  // MARK: Passwords

  /// A role that is let in with its password only, see scripts/with-postgresql.sh.
  private func withPassword(_ password: String) throws {
    try TestDatabase.run(
      "DO 'BEGIN CREATE ROLE with_password; EXCEPTION WHEN duplicate_object THEN NULL; END'")
    try TestDatabase.run("ALTER ROLE \(role) PASSWORD '\(password)'")
    try TestDatabase.run("GRANT with_password TO \(role)")
  }

  @Test("a password that is changed is read again when the server refuses, and a paid picture waits for it and is stored")
  func password() async throws {
    try withPassword("first")
    let file = "\(fixture.temporary.path)/password"
    try write(Array("first".utf8), to: file)
    let clock = ServerClock()
    var server = service
    server.clock = clock.clock
    server.password = RenewableSecret(files: [file], nowMs: { 0 }, uptimeMs: { 0 }) {
      String(decoding: try FileSystem.read(file), as: UTF8.self)
    }
    let store = try await open(server)
    _ = try await store.grantCredits(5, to: "anna", because: "a test")
    let id = try await store.begin(fixture.acceptance("anna", metering: Metering(credits: 1, limits: [])))
    let staged = try await store.stage([1], mimeType: "image/png")
    let settlement = Settlement(
      id: id, state: .succeeded,
      files: [GenerationFile(index: 0, source: .staged(staged), width: 4, height: 3, credits: 1)])
    try withPassword("second")
    try database.terminateAll()
    let refused = await #expect(throws: AtelierError.self) { try await store.finish(settlement) }
    #expect(refused?.kind == .storageUnavailable)
    let sentence = await store.currentFault()?.reason.sentence ?? ""
    #expect(sentence.contains("passwordFile") && !sentence.contains("first"), "\(sentence)")
    try write(Array("second".utf8), to: file)
    // The next heartbeat but one finds that the server lets it in: the connection of the other has ended.
    let leases = try #require((store.presence as? OwnPresences)?.leases)
    try? leases.heartbeat()
    try leases.heartbeat()
    #expect(try await store.finish(settlement).finished?.creditsCharged == 1)
    try await store.checkReady()
    await store.close()
  }

  @Test("a password that only a refusal tells to be another, as in a keyring, is asked for again then, and not before")
  func keyring() async throws {
    try withPassword("first")
    let keyring = SharedState("first")
    let asked = SharedState(0)
    var server = service
    server.clock = ServerClock().clock
    server.password = RenewableSecret(nowMs: { 0 }, uptimeMs: { 0 }) {
      asked.change { $0 += 1 }
      return keyring.value
    }
    let store = try await open(server)
    try database.terminateAll()
    try await store.write { try $0.run("SELECT 1") }
    #expect(asked.value == 1)
    try withPassword("second")
    keyring.change { $0 = "second" }
    try database.terminateAll()
    try await store.write { try $0.run("SELECT 1") }
    #expect(asked.value == 2)
    await store.close()
  }
}
