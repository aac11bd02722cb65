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

  private let process: ProcessID
  private let rules: LeaseRules
  private let heartbeats: PostgreSQLLink
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
  /// - Throws: a ``PostgreSQLFault``; `SystemError` when there can be no thread for it.
  init(_ server: PostgreSQLServer, process: ProcessID) throws {
    self.process = process
    rules = server.leases
    heartbeats = PostgreSQLLink(server, for: .heartbeats)
    wake = try WakeSignal()
    try heartbeat()
    try removeEnded()
    let (wake, interval) = (wake, rules.heartbeat)
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

  private func heartbeat() throws {
    let sent = ContinuousClock.now
    let renewal = PostgreSQLConnection.Statement(
      text: """
        INSERT INTO process_lease (process, lease) VALUES (?, \(Self.now) + ?)
        ON CONFLICT (process) DO UPDATE SET lease = excluded.lease RETURNING lease
        """, values: [process.rawValue, rules.lease.wholeMilliseconds])
    let answer = try heartbeats.withConnection { connection in
      // Who has taken leave meanwhile must not come back.
      try state.withLock(\.isReleased) ? [] : connection.exchange([renewal])
    }
    guard case .rows(let rows)? = answer.last, let lease: Int64 = try rows.first?.value("lease") else { return }
    let received = ContinuousClock.now
    let middle = sent + (received - sent) / 2
    state.withLock { state in
      // A process that was stopped, or a machine that slept, knows nothing of what the others did meanwhile.
      let hasBreak = state.latest.map { received - $0 > rules.lease } ?? true
      if hasBreak || state.present == nil { state.present = received }
      state.latest = received
      state.offset = lease - rules.lease.wholeMilliseconds - Self.uptime(at: middle)
    }
  }

  // MARK: The server's clock

  /// The time by the server's clock, in milliseconds since 1970, as of the last heartbeat and what has passed since.
  /// - Parameter other: tells the time before it is known.
  func time(orElse other: @escaping @Sendable () -> Timestamp) -> @Sendable () -> Timestamp {
    { [weak self] in
      guard let offset = self?.state.withLock({ $0.offset }) else { return other() }
      return Timestamp(milliseconds: offset + Self.uptime(at: .now))
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
      return latest - present >= rules.proving && ContinuousClock.now - latest < rules.lease
    }
  }

  func release() throws {
    state.withLock { $0.isReleased = true }
    wake.raise()
    try remove("process = ?", [process.rawValue])
    heartbeats.close()
  }

  /// Removes what is left of processes whose work is over by any limit.
  private func removeEnded() throws {
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
  /// How long a generation may take that names no limit of its own. What must not be done twice is only taken from a process
  /// that is gone when its time is over.
  public var longestWork = Duration.seconds(300)

  public init() {}
}
