import AtelierProtocol
import Support
import Testing

@testable import Store

/// What a server may answer in place of a result, and what becomes of a picture that is paid for.
@Suite("Faults of a PostgreSQL server", .withPostgreSQL, .timeLimit(.minutes(5)))
struct PostgreSQLFaultTests {
  let database: TestDatabase
  let fixture: StoreFixture
  init() throws {
    database = try TestDatabase()
    fixture = try StoreFixture()
  }

  private func open(_ name: String = "data") async throws -> Store {
    var server = database.server
    // Work that is tried again waits for nothing.
    server.clock = ServerClock().clock
    return try await Store.open(
      directory: DataDirectory(path: "\(fixture.temporary.path)/\(name)"), server: server,
      surroundings: fixture.surroundings)
  }

  /// Lets the server refuse the record of a picture with a code, as often as ``refuse(_:with:times:)`` says.
  private func makeRefusing(_ store: Store) async throws {
    try await store.write { session in
      try session.run("SET LOCAL ROLE postgres")
      // What a sequence has given stays given when a transaction is undone.
      try session.run("CREATE SEQUENCE refusals")
      try session.run("CREATE TABLE refusal (code TEXT NOT NULL, times BIGINT NOT NULL)")
      try session.run("INSERT INTO refusal VALUES ('00000', 0)")
      try session.run(
        """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS '
        DECLARE present refusal;
        BEGIN
          SELECT * INTO present FROM refusal;
          IF nextval(''refusals'') <= present.times THEN
            RAISE EXCEPTION USING ERRCODE = present.code, MESSAGE = ''refused'';
          END IF;
          RETURN NEW;
        END'
        """)
      try session.run("CREATE TRIGGER refuses BEFORE INSERT ON generation_file FOR EACH ROW EXECUTE FUNCTION refuse()")
    }
  }

  private func refuse(_ store: Store, with code: String, times: Int) async throws {
    try await store.write { session in
      try session.run("SET LOCAL ROLE postgres")
      try session.run("UPDATE refusal SET code = ?, times = ?", [code, times])
      _ = try session.rows("SELECT setval('refusals', 1, FALSE)")
    }
  }

  /// A picture that a provider has delivered for one credit, and that is not recorded yet.
  private func paid(_ store: Store) async throws -> Settlement {
    let id = try await store.begin(fixture.acceptance("anna", metering: Metering(credits: 1, limits: [])))
    let staged = try await store.stage([1, 2, 3], mimeType: "image/png")
    return Settlement(
      id: id, state: .succeeded,
      files: [GenerationFile(index: 0, source: .staged(staged), width: 4, height: 3, credits: 1)])
  }

  private func isStored(_ settlement: Settlement, in store: Store) async throws -> Bool {
    guard let row = try await store.generation(settlement.id, account: nil) else { return false }
    return row.state == .succeeded && row.creditsCharged == 1 && row.images.count == 1
  }

  @Test("a paid picture is stored at once, stored later or known to be lost, whatever the server says when it is recorded")
  func everyCode() async throws {
    var store = try await open()
    try await makeRefusing(store)
    _ = try await store.grantCredits(1_000, to: "anna", because: "a test")
    for (number, (code, name, effect)) in ServerCodes.all.enumerated() {
      let settlement = try await paid(store)
      try await refuse(store, with: code, times: 1)
      let first = await Result.of { try await store.finish(settlement) }
      switch effect {
      case .storedAtOnce:
        #expect(first.value?.finished?.creditsCharged == 1, "\(code) \(name): \(first)")
      case .storedLater:
        let error = first.error as? AtelierError
        #expect(error?.kind.consequences.isOfTheStore == true, "\(code) \(name): \(first)")
        #expect(error?.details["postgresql"]?.string == code)
        let second = await Result.of { try await store.finish(settlement) }
        #expect(second.value?.finished?.creditsCharged == 1, "\(code) \(name): \(second)")
      case .ended:
        let error = first.error as? AtelierError
        #expect(error?.kind.consequences.isOfTheStore == false, "\(code) \(name): \(first)")
        #expect(error?.retryable != true && error?.details["postgresql"]?.string == code)
      }
      #expect(try await isStored(settlement, in: store) == (effect != .ended), "\(code) \(name)")
      // One that says that the data are damaged is not asked for anything more.
      if await store.currentFault()?.isLasting == true {
        #expect(code.hasPrefix("XX"), "\(code)")
        await store.close()
        store = try await open("data\(number)")
      }
    }
    try await refuse(store, with: "00000", times: 0)
    #expect(try await store.auditLedger() == [])
    await store.close()
  }

  @Test("every code of the manual is in the list once")
  func list() {
    #expect(ServerCodes.all.count == 261 && Set(ServerCodes.all.map(\.code)).count == 261)
  }

  @Test("a statement that an administrator cancels while a picture is recorded is repeated, however often within reason")
  func cancelled() async throws {
    let store = try await open()
    try await makeRefusing(store)
    _ = try await store.grantCredits(10, to: "anna", because: "a test")
    let settlement = try await paid(store)
    try await refuse(store, with: "57014", times: 5)
    #expect(try await store.finish(settlement).finished?.creditsCharged == 1)
    // For ever, it is told as busy: whoever has the picture keeps it.
    let other = try await paid(store)
    try await refuse(store, with: "57014", times: 1_000)
    let error = await #expect(throws: AtelierError.self) { try await store.finish(other) }
    #expect(error?.kind == .overloaded && error?.isRetryable == true)
    try await refuse(store, with: "57014", times: 0)
    #expect(try await store.finish(other).finished?.creditsCharged == 1)
    await store.close()
  }

  @Test(
    "a refusal of a connection has the code of the server, in whatever language, and no secret",
    arguments: [
      ("connection to server at \"h\", port 5 failed: FATAL:  53300: too many connections\nLOCATION:  x, y.c:1", "53300"),
      ("connection to server on socket \"/s\" failed: SCHWERWIEGEND:  28P01: Passwort falsch\n", "28P01"),
      ("connection to server at \"h\" failed: FATAL:  3D000: database \"geheim\" does not exist", "3D000"),
      ("could not translate host name \"h\" to address", nil), ("FATAL:  too old", nil), ("", nil),
    ])
  func refusal(reason: String, code: String?) {
    let fault = ConnectionRefusal.fault(reason, hiding: ["geheim", ""])
    #expect(fault.state == code && fault.isRefusal && !fault.message.contains("geheim"))
    #expect(!fault.message.contains("LOCATION"))
  }
}

extension Result where Failure == any Error {
  static func of(_ work: () async throws -> Success) async -> Self {
    do {
      return .success(try await work())
    } catch {
      return .failure(error)
    }
  }
}
