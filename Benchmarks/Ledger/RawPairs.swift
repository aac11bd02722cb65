import AtelierProtocol
import Foundation
import GRDBSQLite
import Store

/// Runs the statements that the store ran for one generation again and again, with nothing between them and SQLite.
struct RawPairs {
  let directory: DataDirectory

  struct Failure: Error {
    var message: String
  }

  /// A statement ready to be run: what is bound at each place, as recorded or new each time.
  private struct Step {
    enum Value {
      case recorded(RecordedStatement.Value)
      case generation, hold
      case sequence, available
    }

    var statement: OpaquePointer?
    var values: [Value]
    var isTransfer: Bool
    var isBegin: Bool
    /// Whether the credits that can be spent become fewer.
    var takes: Bool
  }

  func run(_ pairs: Int) async throws {
    guard StatementRecorder.install() else { throw Failure(message: "SQLite does not let its statements be recorded") }
    let recorded = try await record()
    let database = try open()
    defer { sqlite3_close(database) }
    let steps = try prepare(recorded, database)
    defer { for step in steps { sqlite3_finalize(step.statement) } }
    try await LedgerBenchmark.measure(pairs) {
      for _ in 0..<pairs { try pair(steps, database) }
    }
  }

  private func record() async throws -> [RecordedStatement] {
    let store = try await Store.open(directory: directory, surroundings: .benchmark)
    let pairs = StorePairs(directory: directory)
    let artifact = try await pairs.makeArtifact(in: store)
    try await pairs.pair(store, artifact)
    let statements = try await StatementRecorder.recording { try await pairs.pair(store, artifact) }
    await store.close()
    // A beginning that met another process's writing was followed by one more.
    return statements.enumerated().filter { position, statement in
      let next = statements.indices.contains(position + 1) ? statements[position + 1].sql : ""
      return !(statement.sql.hasPrefix("BEGIN") && next.hasPrefix("BEGIN"))
    }.map(\.element)
  }

  private func open() throws -> OpaquePointer? {
    var database: OpaquePointer?
    guard sqlite3_open_v2("\(directory.path)/atelier.sqlite", &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
      throw Failure(message: "the database cannot be opened")
    }
    sqlite3_busy_timeout(database, 60_000)
    try execute(
      "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON; PRAGMA secure_delete = ON; "
        + "PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY", database)
    return database
  }

  private func execute(_ sql: String, _ database: OpaquePointer?) throws {
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
      throw Failure(message: String(cString: sqlite3_errmsg(database)))
    }
  }

  private func prepare(_ recorded: [RecordedStatement], _ database: OpaquePointer?) throws -> [Step] {
    func first(_ beginning: String, _ place: Int) -> RecordedStatement.Value? {
      recorded.first { $0.sql.hasPrefix(beginning) }?.values[place]
    }
    let (generation, hold) = (first("INSERT INTO generation ", 0), first("INSERT INTO hold ", 0))
    return try recorded.map { statement in
      var pointer: OpaquePointer?
      let keep = CUnsignedInt(SQLITE_PREPARE_PERSISTENT)
      guard sqlite3_prepare_v3(database, statement.sql, -1, keep, &pointer, nil) == SQLITE_OK else {
        throw Failure(message: String(cString: sqlite3_errmsg(database)))
      }
      let isTransfer = statement.sql.hasPrefix("INSERT INTO transfer ")
      let values = statement.values.enumerated().map { place, value -> Step.Value in
        if isTransfer, place == 0 { return .sequence }
        if isTransfer, place == 8 { return .available }
        if value == generation { return .generation }
        return value == hold ? .hold : .recorded(value)
      }
      return Step(
        statement: pointer, values: values, isTransfer: isTransfer, isBegin: statement.sql.hasPrefix("BEGIN"),
        takes: isTransfer && statement.values[1] == .text("hold"))
    }
  }

  private func pair(_ steps: [Step], _ database: OpaquePointer?) throws {
    let generation = StoreSurroundings.makeIdentifier("gen_")
    let hold = StoreSurroundings.makeIdentifier("hold_")
    var (sequence, available): (Int64, Int64) = (0, 0)
    for step in steps {
      if step.isTransfer {
        sequence += 1
        if step.takes { available -= 1 }
      }
      for (index, value) in step.values.enumerated() {
        let place = CInt(index + 1)
        switch value {
        case .recorded(let recorded): bind(recorded, at: place, of: step.statement)
        case .generation: bind(.text(generation), at: place, of: step.statement)
        case .hold: bind(.text(hold), at: place, of: step.statement)
        case .sequence: bind(.integer(sequence), at: place, of: step.statement)
        case .available: bind(.integer(available), at: place, of: step.statement)
        }
      }
      var code = sqlite3_step(step.statement)
      while code == SQLITE_ROW { code = sqlite3_step(step.statement) }
      guard code == SQLITE_DONE else { throw Failure(message: String(cString: sqlite3_errmsg(database))) }
      sqlite3_reset(step.statement)
      // Others may have written since: what the next transfer builds on is read under the lock, as the store reads it.
      if step.isBegin { (sequence, available) = try standing(database) }
    }
  }

  private func standing(_ database: OpaquePointer?) throws -> (Int64, Int64) {
    var numbers: [Int64] = []
    for sql in [
      "SELECT max(seq) FROM transfer",
      "SELECT available FROM account_balance WHERE account = '\(LedgerBenchmark.account(of: 0).rawValue)'",
    ] {
      var pointer: OpaquePointer?
      defer { sqlite3_finalize(pointer) }
      guard sqlite3_prepare_v2(database, sql, -1, &pointer, nil) == SQLITE_OK, sqlite3_step(pointer) == SQLITE_ROW
      else {
        throw Failure(message: String(cString: sqlite3_errmsg(database)))
      }
      numbers.append(sqlite3_column_int64(pointer, 0))
    }
    return (numbers[0], numbers[1])
  }

  private func bind(_ value: RecordedStatement.Value, at place: CInt, of statement: OpaquePointer?) {
    switch value {
    case .null: sqlite3_bind_null(statement, place)
    case .integer(let integer): sqlite3_bind_int64(statement, place, integer)
    case .real(let real): sqlite3_bind_double(statement, place, real)
    case .text(let text):
      // −1 asks SQLite to copy the text before this call returns.
      sqlite3_bind_text(statement, place, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    }
  }
}
