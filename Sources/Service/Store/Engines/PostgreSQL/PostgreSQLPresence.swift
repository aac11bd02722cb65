import AtelierProtocol
import Glibc
import POSIX
import Synchronization

/// The processes of any number of machines: each renews a lease, by the clock of the server.
///
/// A lock that the server holds for a session would not do: it is not released when a cable is pulled or a process stopped,
/// and it is released when a server takes over from another, although every process lives.
///
/// A process whose lease is over may come back at any time. It may then go on with what nobody has taken from it: see
/// ``Store/stateAfter(_:of:in:)``.
final class PostgreSQLPresence: Presence {
  /// Until when each process counts as alive, in milliseconds since 1970 by the server's clock.
  static let table = "CREATE TABLE process_lease (process TEXT COLLATE \"C\" PRIMARY KEY, lease BIGINT NOT NULL)"

  private let server: PostgreSQLServer
  private let process: ProcessID
  private var rules: LeaseRules { server.leases }
  private let heartbeats: PostgreSQLLink
  private let reach: PostgreSQLReach
  private let state = Mutex(State())
  private let wake: WakeSignal

  private struct State {
    /// Since when this process has renewed its lease without a break; nil while it cannot.
    var present: ContinuousClock.Instant?
    var latest: ContinuousClock.Instant?
    /// How much the server's clock is ahead of this machine's uptime.
    var offset: Int64?
    var isReleased = false
  }

  /// The time by the server's clock, in milliseconds since 1970.
  static let now = "CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT)"

  /// Begins the lease and renews it until ``release()`` or the end of this object.
  /// - Parameters:
  ///   - heartbeats: what nobody else uses.
  ///   - reach: of all connections of this process.
  /// - Throws: a ``PostgreSQLFault`` or ``StoreError``; `SystemError` when there can be no thread for it.
  init(
    _ server: PostgreSQLServer, over heartbeats: PostgreSQLLink, _ reach: PostgreSQLReach, process: ProcessID
  ) throws {
    (self.server, self.heartbeats, self.reach, self.process) = (server, heartbeats, reach, process)
    wake = try WakeSignal()
    try heartbeat()
    try forgetEnded()
    let (wake, interval) = (wake, rules.heartbeat)
    // Less often, and heartbeats would not show that the server lives.
    reach.watch(interval < PostgreSQLReach.silence)
    try DedicatedThread.start { [weak self] in
      while Self.pause(wake, for: interval) { if self?.renewAgain() != true { return } }
    }
  }

  deinit { wake.raise() }

  /// - Returns: false when it was woken, which ends the heartbeats.
  private static func pause(_ wake: WakeSignal, for interval: Duration) -> Bool {
    var descriptor = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, Int32(clamping: interval.wholeMilliseconds)) <= 0
  }

  /// - Returns: false when no more heartbeats are wanted.
  private func renewAgain() -> Bool {
    if state.withLock({ $0.isReleased }) { return false }
    do {
      try heartbeat()
    } catch {
      state.withLock { $0.present = nil }
    }
    return true
  }

  /// Renews the lease.
  func heartbeat() throws {
    let sent = server.clock.now()
    let answer = try heartbeats.withConnection { connection in
      // Who has taken leave meanwhile must not come back.
      try state.withLock(\.isReleased) ? [] : connection.exchange([renewal(over: connection)])
    }
    guard case .rows(let rows)? = answer.last, let row = rows.first else { return }
    try judge(row)
    let lease: Int64 = try row.value("lease")
    let received = server.clock.now()
    let middle = sent + (received - sent) / 2
    // A process that was stopped, or a machine that slept, knows nothing of what the others did meanwhile: whether its own
    // clock has seen the time pass, or only that of the server.
    let hasEnded = try (row.optional("remaining", as: Int64.self) ?? -1) < 0
    state.withLock { state in
      let hasBreak = state.latest.map { received - $0 > rules.lease } ?? true
      if hasBreak || hasEnded || state.present == nil { state.present = received }
      state.latest = received
      state.offset = lease - rules.lease.wholeMilliseconds - Self.uptime(at: middle)
    }
  }

  /// What renews the lease, and tells how long it would have lasted, which version the tables have, and whose session it is.
  private func renewal(over connection: PostgreSQLConnection) -> PostgreSQLConnection.Statement {
    .init(
      text: """
        INSERT INTO process_lease (process, lease) VALUES (?1, \(Self.now) + ?2)
        ON CONFLICT (process) DO UPDATE SET lease = excluded.lease
        RETURNING lease,
          (SELECT earlier.lease - \(Self.now) FROM process_lease AS earlier WHERE earlier.process = ?1) AS remaining,
          (SELECT version FROM atelier_schema) AS version, \(PostgreSQLSettings.isOwn(connection))
        """, values: [process.rawValue, rules.lease.wholeMilliseconds])
  }

  /// Stops all writing where another process has made the tables newer, or the sessions are shared meanwhile.
  private func judge(_ row: SQLRow) throws {
    do {
      try PostgreSQLOpening(server: server).requireKnown(try row.value("version"))
      guard try row.value("is_own") else {
        throw PostgreSQLError.reason(.sharedSession, server: server) ?? StoreError(.failed, "sessions are shared")
      }
    } catch let verdict as StoreError {
      reach.judge(verdict)
      throw verdict
    }
  }

  // MARK: The server's clock

  /// The time by the server's clock, in milliseconds since 1970, as of the last heartbeat and what has passed since.
  /// - Parameter other: tells the time before it is known.
  func time(orElse other: @escaping @Sendable () -> Timestamp) -> @Sendable () -> Timestamp {
    { [weak self] in
      guard let self, let offset = state.withLock({ $0.offset }) else { return other() }
      return Timestamp(milliseconds: offset + Self.uptime(at: server.clock.now()))
    }
  }

  private static let origin = ContinuousClock.now

  private static func uptime(at instant: ContinuousClock.Instant) -> Int64 { (instant - origin).wholeMilliseconds }

  // MARK: Others

  func absences(among others: [ProcessID]) throws -> [ProcessID: Absence] {
    guard !others.isEmpty, mayJudge else { return [:] }
    let look = PostgreSQLConnection.Statement(
      text: "SELECT process, lease - \(Self.now) AS remaining FROM process_lease")
    guard case .rows(let rows)? = try heartbeats.withConnection({ try $0.exchange([look]) }).last else { return [:] }
    var remaining: [ProcessID: Int64] = [:]
    for row in rows { remaining[ProcessID(rawValue: try row.value("process"))] = try row.value("remaining") }
    // Whoever was taken for gone itself, as after the sleep of its machine, has not heard of the others either.
    guard let own = remaining[process], own >= 0, mayJudge else {
      state.withLock { $0.present = nil }
      return [:]
    }
    var absences: [ProcessID: Absence] = [:]
    for other in others {
      if let left = remaining[other] {
        if left < 0 { absences[other] = .silent }
      } else {
        absences[other] = .ended
      }
    }
    return absences
  }

  /// After a fault of the server or of the way to it, the first to come back would find everybody else's lease over.
  private var mayJudge: Bool {
    state.withLock { state in
      guard let present = state.present, let latest = state.latest else { return false }
      return latest - present >= rules.proving && server.clock.now() - latest < rules.lease
    }
  }

  func release() throws {
    state.withLock { $0.isReleased = true }
    reach.watch(false)
    wake.raise()
    try remove("process = ?", [process.rawValue])
    heartbeats.close()
  }

  /// Removes what is left of processes whose work is over by any limit.
  func forgetEnded() throws {
    try remove("lease < \(Self.now) - 86400000", [])
  }

  private func remove(_ condition: String, _ values: SQLValues) throws {
    let removal = PostgreSQLConnection.Statement(
      text: """
        WITH removed AS (DELETE FROM process_lease WHERE \(condition) RETURNING process)
        DELETE FROM atelier_writer WHERE process IN (SELECT process FROM removed)
        """, values: values)
    _ = try heartbeats.withConnection { try $0.exchange([removal]) }
  }
}

/// When a process that shares a database over machines counts as gone.
public struct LeaseRules: Sendable {
  /// For how long a process counts as alive after it was last heard of. Longer than a failover takes.
  public var lease = Duration.seconds(30)
  /// How often a process is heard of.
  public var heartbeat = Duration.seconds(5)
  /// For how long a process must itself have been heard of before it judges others.
  public var proving = Duration.seconds(30)
  public init() {}
}
