import AtelierProtocol
import GRDB
import POSIX
import Support
import Testing

@testable import Store

@Suite("The database")
struct DatabaseTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  @Test("every connection is set up as the rules of the ledger ask, before and after work", .onlySQLite)
  func settings() async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance())
    _ = try await store.note(ProgressNote(phase: .saving, message: "", sequence: 1), for: id)
    try await store.succeed(id, with: [1])
    _ = try await store.history(HistoryFilter(), limit: 1)
    let wanted: [(String, Int)] = [
      ("synchronous", 2), ("foreign_keys", 1), ("recursive_triggers", 1), ("cell_size_check", 1),
      ("trusted_schema", 0), ("secure_delete", 1), ("application_id", 0x4174_6568),
      ("user_version", Store.schemaVersion),
    ]
    for connection in try [store.writer, store.reader] {
      for (name, value) in wanted {
        let found = try await connection.read { try Int.fetchOne($0, sql: "PRAGMA \(name)") }
        #expect(found == value, "\(connection.configuration.label ?? "") \(name)")
      }
      #expect(try await connection.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
    }
    await #expect(throws: DatabaseError.self) {
      try await store.reader.writeWithoutTransaction { try $0.execute(sql: "DELETE FROM artifact") }
    }
  }

  @Test("a failed note leaves the connection waiting for the disk again", .onlySQLite)
  func failedNote() async throws {
    let store = try await fixture.open()
    await #expect(throws: AtelierError.self) {
      try await store.note(ProgressNote(phase: .saving, message: "", sequence: 1), for: "a\u{0}b")
    }
    #expect(try await store.writer.read { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 2)
  }

  @Test("all tables are strict", .onlySQLite)
  func strict() async throws {
    let store = try await fixture.open()
    let loose = try await store.reader.read { database in
      try String.fetchAll(
        database,
        sql: "SELECT name FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite%' AND NOT strict")
    }
    #expect(loose.isEmpty)
  }

  /// Statements that a mistake could send, and what must refuse them.
  static let forbidden: [(sql: String, reason: String)] = [
    ("UPDATE generation SET state = 'running', finished = NULL WHERE id = 'ended'", "never changes"),
    ("UPDATE generation SET state = 'succeeded' WHERE id = 'ended'", "never changes"),
    ("UPDATE generation SET prompt = 'other' WHERE id = 'ended'", "never changes"),
    ("UPDATE generation SET process = 'other' WHERE id = 'ended'", "never changes"),
    ("UPDATE OR REPLACE generation SET state = 'failed' WHERE id = 'ended'", "never changes"),
    ("UPDATE OR IGNORE generation SET state = 'failed' WHERE id = 'ended'", "never changes"),
    ("DELETE FROM generation WHERE id = 'running'", "not deleted"),
    ("UPDATE generation SET state = 'queued' WHERE id = 'running'", "not queued again"),
    ("UPDATE generation SET id = 'other' WHERE id = 'running'", "identifies"),
    ("UPDATE generation SET account = 'other' WHERE id = 'running'", "only a merge"),
    ("UPDATE generation SET state = 'failed' WHERE id = 'running'", "check"),
    ("UPDATE generation SET finished = 1 WHERE id = 'running'", "check"),
    ("UPDATE generation SET state = 'done', finished = 1 WHERE id = 'running'", "check"),
    ("UPDATE generation SET fraction = 1.5 WHERE id = 'running'", "check"),
    (
      "UPDATE generation SET created = 'today' WHERE id = 'running'",
      TestDatabase.isUsed ? "invalid input" : "cannot store text"
    ),
    ("UPDATE generation SET prompt = 'secret' WHERE id = 'private'", "check"),
    ("DELETE FROM artifact", "foreign key"),
    ("DELETE FROM artifact WHERE name IN (SELECT artifact FROM generation_file)", "foreign key"),
    ("UPDATE generation_file SET width = 9", "never change"),
    (
      "INSERT INTO generation_file SELECT 'ended', 'image', 5, NULL, sha256, mime_type, bytes, 1, 1, artifact, NULL "
        + "FROM generation_file", "no more files"
    ),
    (
      "INSERT INTO generation_file SELECT 'private', 'image', 0, NULL, sha256, mime_type, bytes, 1, 1, artifact, NULL "
        + "FROM generation_file", "keeps no files"
    ),
    (
      "INSERT INTO prepared (id, account, generation_id, width, height, created, expires) "
        + "VALUES ('p', 'a', 'private', 1, 1, 1, 1)", "is not kept"
    ),
    (
      "INSERT INTO generation_file SELECT 'private', 'thumbnail', 0, NULL, sha256, mime_type, bytes, 1, 1, artifact, NULL "
        + "FROM generation_file", "keeps no files"
    ),
    (
      "INSERT INTO generation_file SELECT 'ended', 'matte', 5, NULL, sha256, mime_type, bytes, 1, 1, artifact, NULL "
        + "FROM generation_file", "no more files"
    ),
    ("INSERT INTO generation_turn VALUES ('ended', 5, '{}')", "no more turns"),
    ("INSERT INTO generation_turn VALUES ('private', 0, '{}')", "keeps no turns"),
    ("UPDATE generation_turn SET json = '[]'", "never change"),
    ("INSERT OR REPLACE INTO generation_turn VALUES ('ended', 0, '[]')", "no more turns"),
    ("DELETE FROM idempotency", "never forgotten"),
    ("UPDATE idempotency SET generation_id = 'other'", "never changes"),
    (
      "INSERT OR REPLACE INTO idempotency SELECT account, key, params_hash, 'other', 1 FROM idempotency",
      "never forgotten"
    ),
  ]

  /// `OR REPLACE` and `OR IGNORE` are SQLite's.
  private static let forbiddenHere = forbidden.indices.filter { !TestDatabase.isUsed || !forbidden[$0].sql.contains(" OR ") }

  @Test("nothing that has ended changes, and no row contradicts itself", arguments: forbiddenHere)
  func refusals(index: Int) async throws {
    let store = try await fixture.open()
    for (name, isPrivate) in [("ended", false), ("running", false), ("private", true)] {
      var acceptance = fixture.acceptance(key: name == "ended" ? "k" : nil, isPrivate: isPrivate)
      acceptance.id = GenerationID(rawValue: name)
      _ = try await store.begin(acceptance)
    }
    let image = GenerationFile(
      index: 0, source: .staged(try await store.stage([1], mimeType: "image/png")), width: 4, height: 3)
    _ = try await store.finish(
      Settlement(
        id: "ended", state: .succeeded,
        files: [image, .thumbnail(try await store.stage([2], mimeType: "image/jpeg"))],
        turns: [StoredTurn(index: 0, json: [:])]))
    let before = try await store.history(HistoryFilter(), limit: 10)
    let (sql, reason) = Self.forbidden[index]
    let error = await #expect(throws: (any Error).self, "\(sql)") {
      try await store.writes.run { session in
        try session.becomeOwner()
        try session.run(sql)
      }
    }
    let message = error.flatMap { store.engine.fault($0) }?.message ?? ""
    #expect(message.lowercased().contains(reason), "\(sql): \(message)")
    #expect(try await store.history(HistoryFilter(), limit: 10) == before)
    #expect(try await store.check().isSound)
  }

  /// A connection as another process has it, which may leave a transaction open.
  private func otherProcess() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    return try DatabaseQueue(path: fixture.directory.database, configuration: configuration)
  }

  @Test("each failure of SQLite or the system has its error, without statement, value or path", .onlySQLite)
  func errors() async throws {
    let store = try await fixture.open()
    let table: [(any Error, ErrorKind, String)] = [
      (DatabaseError(resultCode: .SQLITE_BUSY, message: "secret"), .overloaded, "busy"),
      (DatabaseError(resultCode: .SQLITE_LOCKED), .overloaded, "busy"),
      (DatabaseError(resultCode: .SQLITE_FULL, sql: "secret"), .storageFull, "full"),
      (DatabaseError(resultCode: .SQLITE_CORRUPT), .internal, "damaged"),
      (DatabaseError(resultCode: .SQLITE_NOTADB), .internal, "damaged"),
      (DatabaseError(resultCode: .SQLITE_IOERR), .storageUnavailable, "doctor"),
      (DatabaseError(resultCode: .SQLITE_READONLY), .storageUnavailable, "doctor"),
      (DatabaseError(resultCode: .SQLITE_CANTOPEN), .storageUnavailable, "doctor"),
      (DatabaseError(resultCode: .SQLITE_PROTOCOL), .storageUnavailable, "doctor"),
      (DatabaseError(resultCode: ResultCode(rawValue: 99)), .storageUnavailable, "doctor"),
      (DatabaseError(resultCode: .SQLITE_CONSTRAINT, message: "secret"), .internal, "doctor"),
      (DatabaseError(resultCode: .SQLITE_ERROR, message: "secret"), .internal, "doctor"),
      (DatabaseError(resultCode: .SQLITE_MISUSE), .internal, "closed"),
      (FileFailure(operation: "write to", path: "/secret", code: 28), .storageFull, "full"),
      (FileFailure(operation: "write to", path: "/secret", code: 122), .storageFull, "full"),
      (FileFailure(operation: "open", path: "/secret", code: 13), .storageUnavailable, "doctor"),
      (FileFailure(operation: "sync", path: "/secret", code: 5), .storageUnavailable, "doctor"),
      (FileFailure(operation: "create", path: "/secret", code: 30), .storageUnavailable, "doctor"),
      (FileFailure(operation: "open", path: "/secret", code: 24), .overloaded, "ulimit"),
      (FileFailure(operation: "open", path: "/secret", code: 23), .overloaded, "ulimit"),
      (StoreError(.moved, "secret"), .storageUnavailable, "start Atelier again"),
      (UnreadableColumn(name: "secret"), .internal, "doctor"),
      (AtelierError(.notFound, "kept as it is"), .notFound, "kept as it is"),
    ]
    for (failure, kind, words) in table {
      let error = store.atelierError(failure)
      #expect(error.kind == kind && error.forOperators.contains(words), "\(failure): \(error)")
      #expect(!"\(error)".contains("secret"), "\(failure): \(error)")
    }
  }

  @Test("a writer that another process keeps waiting for longer than it may says so, and nothing is stored", .onlySQLite)
  func overloaded() async throws {
    let store = try await fixture.open()
    let other = try otherProcess()
    try await other.writeWithoutTransaction { try $0.beginTransaction(.immediate) }
    let error = #expect(throws: DatabaseError.self) {
      try store.busyPolicy.waitingBriefly {
        try store.writer.writeWithoutTransaction { try $0.inTransaction(.immediate) { .commit } }
      }
    }
    #expect(error.map { store.atelierError($0).kind } == .overloaded)
    try await other.writeWithoutTransaction { try $0.rollback() }
    #expect(try await store.accept(fixture.acceptance()).row.state == .queued)
  }

  @Test("a reader that stays does not keep deleting from its end", .onlySQLite)
  func readerStays() async throws {
    let store = try await fixture.open()
    _ = try await store.finish(
      Settlement(id: try await store.begin(fixture.acceptance("anna")), state: .failed))
    let other = try otherProcess()
    try await other.writeWithoutTransaction { database in
      try database.beginTransaction(.deferred)
      _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM generation")
    }
    #expect(try await store.delete(.all(account: "anna")).deleted == 1)
    let seen = try await other.writeWithoutTransaction { try Int.fetchOne($0, sql: "SELECT count(*) FROM generation") }
    #expect(seen == 1)
    try await other.writeWithoutTransaction { try $0.rollback() }
  }

  @Test("the waits are short, of random length, and bounded")
  func waits() {
    var random = SplitMix64(seed: 5)
    let steps = (0..<1_000).map { _ in BusyWait.step(random.next()) }
    #expect(steps.allSatisfy { BusyWait.stepMicroseconds.contains($0) })
    #expect(Set(steps).count > 500)
    let mean = steps.reduce(0) { $0 + Int($1) } / steps.count
    #expect((1_300...1_900).contains(mean))
    let tries = BusyWait.mostTries
    #expect(BusyWait.goesOn(after: 0) && BusyWait.goesOn(after: tries - 1) && !BusyWait.goesOn(after: tries))
    #expect(tries * mean <= 12_000_000)
  }

  @Test(
    "a generation that only one index finds ends the deletion, and the recovering, with an error or without", .onlySQLite)
  func disagreement() async throws {
    let store = try await fixture.open()
    let id = GenerationID(rawValue: "gen_abcdefgh")
    var acceptance = fixture.acceptance()
    acceptance.id = id
    try await store.succeed(try await store.begin(acceptance), with: [1])
    var unfinished = fixture.acceptance()
    unfinished.id = GenerationID(rawValue: "gen_ijklmnop")
    _ = try await store.begin(unfinished)
    await store.close()
    let bytes = try contents(of: fixture.directory.database)
    for name in [id, unfinished.id].map({ Array($0.rawValue.utf8) }) {
      for place in bytes.indices.dropLast(name.count) where bytes[place..<place + name.count].elementsEqual(name) {
        var damaged = bytes
        damaged[place + name.count - 1] = UInt8(ascii: "z")
        try write(damaged, to: fixture.directory.database)
        let store = try await fixture.open()
        _ = try? await store.recover()
        _ = try? await store.delete(.all(account: .owner))
        await store.close()
      }
    }
  }

  @Test(
    "damage anywhere is an error or a finding, never a crash, and deletes nothing", .onlySQLite,
    arguments: 0..<48 as Range<UInt64>)
  func damage(seed: UInt64) async throws {
    let store = try await fixture.open()
    for number in 0..<12 {
      let prompt = String(repeating: "word ", count: 40 + number)
      let id = try await store.begin(fixture.acceptance(prompt: prompt, key: "k\(number)"))
      try await store.succeed(id, with: [UInt8(number)])
    }
    await store.close()
    var random = SplitMix64(seed: seed)
    var bytes = try contents(of: fixture.directory.database)
    for _ in 0..<Int.random(in: 1...40, using: &random) {
      bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
    }
    if seed.isMultiple(of: 6) { bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random)) }
    try write(bytes, to: fixture.directory.database)
    do {
      let damaged = try await fixture.open()
      _ = try? await damaged.recoverAndSweep()
      _ = try? await damaged.history(HistoryFilter(search: "word"), limit: 100)
      _ = try? await damaged.begin(fixture.acceptance())
      _ = try? await damaged.delete(.all(account: .owner))
      _ = try await damaged.check()
      await damaged.close()
    } catch let error as StoreError {
      #expect(error.kind != .busy && error.kind != .storageFull, "seed \(seed): \(error)")
      #expect(try contents(of: fixture.directory.database) == bytes, "seed \(seed): \(error)")
    }
    #expect(FileStatus.exists(fixture.directory.database), "seed \(seed)")
  }
}

extension FileStatus {
  static func exists(_ path: String) -> Bool { ((try? FileStatus(path: path)) ?? nil) != nil }
}
