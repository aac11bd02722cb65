import AtelierProtocol
import GRDB
import POSIX
import Synchronization

/// Reads a page of history within one read transaction. It takes about the same time however long history is: each
/// filter has an index that gives its pages in order, and maintained sums for its totals.
struct HistoryReader {
  let filter: HistoryFilter
  let database: Database

  /// The result, newest first.
  struct Found {
    var keys: [HistoryCursor] = []
    /// Where to continue a search that stopped before it found all the entries wanted.
    var rest: HistoryCursor?
    var wantsIndex = false
  }

  func keys(after cursor: HistoryCursor?, limit: Int) throws -> Found {
    let terms = try terms()
    var sql: [String] = []
    var arguments = StatementArguments()
    for var term in terms {
      if let cursor {
        term.condition.require("created <= ? AND (created, id) < (?, ?)", [cursor.created, cursor.created, cursor.id])
      }
      sql.append("SELECT created, id FROM \(term.source) WHERE \(term.condition.sql)")
      arguments += term.condition.arguments
    }
    arguments += [limit]
    // Each term returns its rows in order; the query merges them.
    let statement = try database.cachedStatement(
      sql: sql.joined(separator: " UNION ALL ") + " ORDER BY created DESC, id DESC LIMIT ?")
    let cursor = try Row.fetchCursor(statement, arguments: arguments)
    return Found(
      keys: try Array(cursor.map { HistoryCursor(created: try $0.value("created"), id: try $0.value("id")) }))
  }

  /// Whether the filter searches so many rows that not all may be read.
  func isLongSearch() throws -> Bool {
    guard filter.searches, filter.parent == nil, !filter.onlyFavorites else { return false }
    return try HistorySums(filter: filter, database: database).atMost() > HistorySearch.budget
  }

  /// A part of the rows, from an index that returns them in order.
  struct Term {
    var source: String
    var condition: SQLCondition
  }

  /// The filter as the fewest terms that can each be read in order.
  func terms() throws -> [Term] {
    if filter.onlyFavorites { return [try favorites()] }
    if filter.parent != nil { return [try children()] }
    if filter.recipe == nil, filter.state == nil {
      return [Term(source: indexed("generation_by_time", "generation_by_account"), condition: try filter.condition())]
    }
    return try endedTerms() + (filter.admitsOpen ? [openTerm()] : [])
  }

  func endedTerms() throws -> [Term] {
    try filter.kinds.map { kind in
      var term = Term(
        source: indexed("generation_by_kind", "generation_by_account_kind"),
        condition: try filter.condition(kind: kind))
      term.condition.require("state NOT IN ('queued', 'running')")
      return term
    }
  }

  /// The generations that have not ended: never many.
  func openTerm() throws -> Term {
    var term = Term(
      source: indexed("generation_open", "generation_open_by_account"), condition: try filter.condition())
    term.condition.require("state IN ('queued', 'running')")
    return term
  }

  private func favorites() throws -> Term {
    var term = Term(
      source: "generation_annotation CROSS JOIN generation ON id = generation_id", condition: try filter.condition())
    term.condition.require("is_favorite = 1")
    if let parent = filter.parent { term.condition.require("parent = ?", [try StoredText.identifier(parent.rawValue)]) }
    return term
  }

  private func children() throws -> Term {
    var term = Term(source: "generation INDEXED BY generation_by_parent", condition: try filter.condition())
    term.condition.require("parent = ?", [try StoredText.identifier(filter.parent?.rawValue ?? "")])
    return term
  }

  private func indexed(_ forAll: String, _ forAccount: String) -> String {
    "generation INDEXED BY \(filter.account == nil ? forAll : forAccount)"
  }
}

/// Runs reads of the whole database, one at a time. Each has its own connection and all share a separate thread, so
/// that no other read or write waits for them.
final class SnapshotReader: Sendable {
  private let opening: DatabaseOpening
  private let opened: OpenedFiles
  private let thread = LazyThreadPool(width: 1)
  private let state = Mutex(State())

  private struct State {
    /// The connection of the running read.
    var connection: DatabaseQueue?
    var isFinished = false
  }

  init(opening: DatabaseOpening, opened: OpenedFiles) {
    self.opening = opening
    self.opened = opened
  }

  var isFinished: Bool { state.withLock { $0.isFinished } }

  /// Runs `work` with a read-only connection, outside of any transaction.
  func run<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await thread.run { [self] in
      let connection = try begin()
      defer { end(connection) }
      return try connection.writeWithoutTransaction(work)
    }
  }

  /// Interrupts the running read and refuses every later one. Returns when no connection is left.
  func finish() async {
    state.withLock { state in
      state.isFinished = true
      state.connection?.interrupt()
    }
    await thread.finish()
  }

  private func begin() throws -> DatabaseQueue {
    if isFinished { throw AtelierError.storeClosed }
    let connection = try opening.reader()
    // It was opened by its name, which may lead to another database by now.
    try opened.checkDatabase()
    return try state.withLock { state in
      guard !state.isFinished else { throw AtelierError.storeClosed }
      state.connection = connection
      return connection
    }
  }

  private func end(_ connection: DatabaseQueue) {
    state.withLock { $0.connection = nil }
    // A connection that cannot be closed here is closed with its last reference.
    try? connection.close()
  }
}
