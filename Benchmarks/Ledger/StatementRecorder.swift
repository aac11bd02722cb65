import GRDBSQLite
import Glibc
import Synchronization

/// Records what every connection of this process runs, by SQLite's own trace.
enum StatementRecorder {
  private struct State {
    var isOn = false
    var statements: [RecordedStatement] = []
  }

  private static let state = Mutex(State())

  private typealias Entry = @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeRawPointer?) -> CInt

  /// To be called before the first connection is opened.
  /// - Returns: whether SQLite took it.
  static func install() -> Bool {
    // Looked up by name: SQLite declares it for functions without arguments, and calls them with three.
    guard let symbol = dlsym(nil, "sqlite3_auto_extension") else { return false }
    let register = unsafeBitCast(symbol, to: (@convention(c) (Entry) -> CInt).self)
    return register { database, _, _ in
      sqlite3_trace_v2(database, CUnsignedInt(SQLITE_TRACE_STMT), StatementRecorder.trace, nil)
    } == SQLITE_OK
  }

  /// What `work` ran.
  static func recording(_ work: () async throws -> Void) async rethrows -> [RecordedStatement] {
    state.withLock { $0 = State(isOn: true) }
    try await work()
    return state.withLock { state in
      state.isOn = false
      return state.statements
    }
  }

  private static let trace: @convention(c) (
    CUnsignedInt, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
  ) -> CInt = { _, _, statement, text in
    guard state.withLock({ $0.isOn }), let statement, let text else { return 0 }
    // What triggers run is told as comments.
    if String(cString: text.assumingMemoryBound(to: CChar.self)).hasPrefix("--") { return 0 }
    let pointer = OpaquePointer(statement)
    guard let sql = sqlite3_sql(pointer), let expanded = sqlite3_expanded_sql(pointer) else { return 0 }
    defer { sqlite3_free(expanded) }
    if let recorded = RecordedStatement(sql: String(cString: sql), expanded: String(cString: expanded)) {
      state.withLock { $0.statements.append(recorded) }
    }
    return 0
  }
}
