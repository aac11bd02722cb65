import CPostgres
import Glibc
import POSIX

/// One connection to a PostgreSQL server, used by one thread at a time.
///
/// Statements are sent together and their answers awaited together: ``exchange(_:)`` is one round trip however many there
/// are. Statements are prepared once a connection, under numbers.
final class PostgreSQLConnection {
  /// A statement in the words of the store, with its values.
  struct Statement {
    var text: String
    var values: SQLValues = []
  }

  /// What a statement was answered with.
  enum Answer {
    case rows([SQLRow])
    /// How many rows it changed.
    case changes(Int)
  }

  /// A statement that the server knows.
  private struct Prepared {
    var name: String
    /// Nil until it has been answered with rows.
    var columns: SQLColumns?
  }

  /// What an answer belongs to, in the order of sending.
  private enum Sent {
    case preparation(text: String, Prepared)
    case statement(text: String)
  }

  private struct Unread {
    var sent: [Sent]
    /// Whether the next exchange tells its fault.
    var isTold: Bool
  }

  private let connection: OpaquePointer
  /// How long an answer may take before the connection counts as lost.
  var patience: Duration
  private let reach: PostgreSQLReach
  private let isGivenUp: @Sendable () -> Bool
  private let notices = Notices()
  private var prepared: [String: Prepared] = [:]
  /// How many names were used. A preparation that fails has used one as well.
  private var numbered = 0
  /// What was sent in exchanges that nobody has waited for.
  private var unread: [Unread] = []
  /// True once the connection is of no use any more.
  private(set) var isLost = false

  /// A statement beyond so many is prepared anew each time: the texts of searches are many.
  private static let mostPrepared = 1_000
  /// Connects.
  /// - Parameters:
  ///   - settings: libpq's keywords. What is not named comes from the environment of this process.
  ///   - limit: how long it may take.
  ///   - patience: how long an answer may take before the connection counts as lost.
  ///   - reach: what is known of the server, and what this connection adds to it.
  ///   - isGivenUp: looked at while an answer is awaited: true makes the connection lost.
  /// - Throws: a ``PostgreSQLFault`` without the words of libpq, which may hold the password.
  init(
    _ settings: [(key: String, value: String)], within limit: Duration, patience: Duration, reach: PostgreSQLReach,
    givingUpIf isGivenUp: @escaping @Sendable () -> Bool
  ) throws(PostgreSQLFault) {
    if let reason = cpostgres_load() { throw .lost(String(cString: reason)) }
    let made = CStrings.withPointers(to: settings.map(\.key)) { keys in
      CStrings.withPointers(to: settings.map(\.value)) { values in cpostgres_connect(keys, values) }
    }
    guard let made else { throw .lost("there is no memory for a connection") }
    // From here on the end of this object ends the connection, also where this throws.
    connection = made
    (self.patience, self.reach, self.isGivenUp) = (patience, reach, isGivenUp)
    guard try isEstablished(within: limit) else {
      let secrets = settings.filter { $0.key == "password" }.map(\.value)
      throw ConnectionRefusal.fault(String(cString: cpostgres_error(made)), hiding: secrets)
    }
    // The context lives as long as this object, whose end ends the connection.
    cpostgres_receive_notices(made, Notices.receive, Unmanaged.passUnretained(notices).toOpaque())
    guard cpostgres_begin_pipelines(made) else { throw .lost("the connection could not be set up") }
    reach.noteAnswer()
  }

  /// Goes on until the connection can be used.
  /// - Returns: false when it was refused.
  private func isEstablished(within limit: Duration) throws(PostgreSQLFault) -> Bool {
    let end = reach.clock.now() + limit
    // libpq wants to begin as if it had asked to write.
    var awaited = CPOSTGRES_CONNECTING_WRITES
    if Int(cpostgres_status(connection)) == CPOSTGRES_CONNECTION_BAD { return false }
    while true {
      let events = Int16(awaited == CPOSTGRES_CONNECTING_READS ? POLLIN : POLLOUT)
      var isReady = false
      while !isReady {
        let left = (end - reach.clock.now()).wholeMilliseconds
        guard left > 0 else { throw .silence(limit) }
        if isGivenUp() { throw .lost("the connection was given up") }
        var descriptor = pollfd(fd: cpostgres_socket(connection), events: events, revents: 0)
        isReady = Glibc.poll(&descriptor, 1, Int32(clamping: min(left, reach.clock.glance))) > 0
      }
      awaited = Int(cpostgres_go_on_connecting(connection))
      if awaited == CPOSTGRES_CONNECTED { return true }
      if awaited == CPOSTGRES_CONNECTING_FAILED { return false }
    }
  }

  deinit { cpostgres_finish(connection) }

  /// What no other connection has, of this process or another: see ``PostgreSQLSettings/mark``.
  let mark = String(UInt64.random(in: .min ... .max), radix: 36)

  /// See ``PostgreSQLServer/sendsAhead``.
  var sendsAhead = true

  /// The number of the server's process as it was said at the beginning. Behind a pooler it is that of another one.
  var backend: Int { Int(cpostgres_backend(connection)) }
  /// Such as 150020 for 15.20.
  var serverVersion: Int { Int(cpostgres_server_version(connection)) }
  var isEncrypted: Bool { cpostgres_is_encrypted(connection) }

  // MARK: Exchanges

  /// Sends statements together and waits for all their answers, which are in the same order.
  ///
  /// Without a `BEGIN` before them, they are one transaction.
  /// - Throws: the ``PostgreSQLFault`` of the first that failed; those after it were not run.
  func exchange(_ statements: [Statement]) throws(PostgreSQLFault) -> [Answer] {
    if !sendsAhead, statements.count > 1 {
      var answers: [Answer] = []
      for statement in statements { answers += try exchange([statement]) }
      return answers
    }
    let sent = try send(statements)
    return try receive(sent)
  }

  /// Sends statements of which the next exchange tells the first fault, and nobody the answers.
  ///
  /// They are an exchange of their own: of a client that stops in the midst of one, the server would wait for the rest
  /// without end, and with all locks.
  func push(_ statements: [Statement]) throws(PostgreSQLFault) {
    unread.append(Unread(sent: try send(statements), isTold: true))
  }

  /// Sends statements whose answers nobody waits for.
  func post(_ statements: [Statement]) throws(PostgreSQLFault) {
    // What was pushed before belongs to what these end.
    for index in unread.indices { unread[index].isTold = false }
    unread.append(Unread(sent: try send(statements), isTold: false))
  }

  /// The codes of the warnings that the last exchange brought.
  var warnings: [String] { notices.codes }

  private func send(_ statements: [Statement]) throws(PostgreSQLFault) -> [Sent] {
    guard !isLost else { throw .lost("the connection is lost") }
    // All of them first: what was sent before a refusal would be answered in the place of something else.
    let arguments = try statements.map { statement throws(PostgreSQLFault) in try Self.arguments(statement.values) }
    var sent: [Sent] = []
    var known = prepared
    for case .preparation(let text, let new) in unread.flatMap(\.sent) where !new.name.isEmpty { known[text] = new }
    for (statement, arguments) in zip(statements, arguments) {
      let text = statement.text
      var entry = known[text]
      if entry == nil {
        let isKept = known.count < Self.mostPrepared
        if isKept { numbered += 1 }
        let new = Prepared(name: isKept ? "s\(numbered)" : "")
        guard cpostgres_send_prepare(connection, new.name, PostgreSQLText.statement(text)) else { throw lose() }
        sent.append(.preparation(text: text, new))
        if isKept { known[text] = new }
        entry = new
      }
      guard let entry else { continue }
      try send(entry.name, arguments)
      sent.append(.statement(text: text))
    }
    guard cpostgres_sync(connection) else { throw lose() }
    try flush()
    return sent
  }

  private static func arguments(_ values: SQLValues) throws(PostgreSQLFault) -> PostgreSQLArguments {
    let (arguments, isWhole) = PostgreSQLArguments.encode(values.values)
    // A text would end at its zero character.
    guard isWhole else { throw PostgreSQLFault(state: "22021", message: "a value contains a zero character") }
    return arguments
  }

  private func send(_ name: String, _ arguments: PostgreSQLArguments) throws(PostgreSQLFault) {
    let isSent = arguments.withPointers { values, lengths, formats in
      cpostgres_send(connection, name, Int32(arguments.count), values, lengths, formats)
    }
    guard isSent else { throw lose() }
  }

  /// Reads the answers up to the end of an exchange.
  private func receive(_ sent: [Sent]) throws(PostgreSQLFault) -> [Answer] {
    var first: PostgreSQLFault?
    while !unread.isEmpty {
      let next = unread.removeFirst()
      let fault = try readAnswers(to: next.sent).1
      if next.isTold { first = first ?? fault }
    }
    notices.codes = []
    let (answers, fault) = try readAnswers(to: sent)
    if let fault = first ?? fault { throw fault }
    return answers
  }

  /// - Returns: the answers before the first fault, and that fault.
  private func readAnswers(to sent: [Sent]) throws(PostgreSQLFault) -> ([Answer], PostgreSQLFault?) {
    var (answers, fault, position, nothing) = ([Answer](), PostgreSQLFault?.none, 0, 0)
    let end = reach.clock.now() + patience
    while true {
      do throws(PostgreSQLFault) {
        try wait(until: end)
      } catch {
        // What a server has said before it hung up tells more than that it did.
        throw fault ?? error
      }
      reach.noteAnswer()
      guard let result = cpostgres_result(connection) else {
        // One stands between two answers. More of them mean that nothing comes any more.
        nothing += 1
        if nothing > 2 {
          let loss = lose()
          throw fault ?? loss
        }
        continue
      }
      nothing = 0
      defer { cpostgres_clear(result) }
      switch Int(cpostgres_result_status(result)) {
      case CPOSTGRES_PIPELINE_SYNC: return (answers, fault)
      case CPOSTGRES_PIPELINE_ABORTED: break
      case CPOSTGRES_COMMAND_OK, CPOSTGRES_TUPLES_OK:
        // What cannot be read is a fault of its statement: the answers that follow are read all the same.
        do throws(PostgreSQLFault) {
          if sent.indices.contains(position), let answer = try answer(result, to: sent[position]) { answers.append(answer) }
        } catch {
          fault = fault ?? error
        }
        position += 1
      default: fault = fault ?? self.fault(result)
      }
    }
  }

  private func answer(_ result: OpaquePointer, to sent: Sent) throws(PostgreSQLFault) -> Answer? {
    switch sent {
    case .preparation(let text, let new):
      if !new.name.isEmpty { prepared[text] = new }
      return nil
    case .statement(let text):
      guard Int(cpostgres_result_status(result)) == CPOSTGRES_TUPLES_OK else {
        return .changes(PostgreSQLResult.changes(result))
      }
      let columns = prepared[text]?.columns ?? PostgreSQLResult.columns(result)
      prepared[text]?.columns = columns
      return .rows(try PostgreSQLResult.rows(result, columns: columns))
    }
  }

  private func fault(_ result: OpaquePointer) -> PostgreSQLFault {
    func field(_ field: Int) -> String? {
      cpostgres_result_field(result, Int32(field)).map { String(cString: $0) }
    }
    guard let state = field(CPOSTGRES_FIELD_STATE) else { return lose() }
    var fault = PostgreSQLFault(state: state, message: field(CPOSTGRES_FIELD_MESSAGE) ?? "no detail")
    // The name of the server's own function: its words are in any language.
    fault.isOfHiddenRows = field(CPOSTGRES_FIELD_FUNCTION) == "check_enable_rls"
    if fault.remedy == .reconnect { isLost = true }
    return fault
  }

  private func lose() -> PostgreSQLFault {
    isLost = true
    let fault = PostgreSQLFault.lost("the connection to the server was lost")
    reach.noteLoss(fault)
    return fault
  }

  // MARK: Waiting

  /// Sends what waits for the socket, and reads meanwhile: else both sides could wait for the other one to read.
  private func flush() throws(PostgreSQLFault) {
    let begun = reach.clock.now()
    let end = begun + patience
    while true {
      switch cpostgres_flush(connection) {
      case 0: return
      case 1: try poll(Int16(POLLIN | POLLOUT), begun, until: end)
      default: throw lose()
      }
    }
  }

  private func wait(until end: ContinuousClock.Instant) throws(PostgreSQLFault) {
    let begun = reach.clock.now()
    while cpostgres_is_busy(connection) { try poll(Int16(POLLIN), begun, until: end) }
  }

  /// - Parameters:
  ///   - begun: since when is waited, by the clock of ``reach``.
  ///   - end: when the connection is given up, even if the server answers others.
  private func poll(
    _ events: Int16, _ begun: ContinuousClock.Instant, until end: ContinuousClock.Instant
  ) throws(PostgreSQLFault) {
    var descriptor = pollfd(fd: cpostgres_socket(connection), events: events, revents: 0)
    let left = (end - reach.clock.now()).wholeMilliseconds
    guard left > 0, !reach.isSilent(since: begun) else {
      isLost = true
      reach.noteSilence(isOfNewConnection: false)
      throw .silence(left > 0 ? PostgreSQLReach.silence : patience)
    }
    if isGivenUp() { throw lose() }
    let count = Glibc.poll(&descriptor, 1, Int32(clamping: min(left, reach.clock.glance)))
    guard count >= 0 || errno == EINTR else { throw lose() }
    if descriptor.revents & ~Int16(POLLOUT) != 0, !cpostgres_consume(connection) { throw lose() }
  }
}

/// What the server has warned of during an exchange.
private final class Notices {
  var codes: [String] = []

  /// Called by libpq on the thread that reads, with the object of the connection that it was given.
  static let receive: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?) -> Void = { context, notice in
    guard let context, let notice, let code = cpostgres_result_field(notice, Int32(CPOSTGRES_FIELD_STATE)) else {
      return
    }
    Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue().codes.append(String(cString: code))
  }
}
