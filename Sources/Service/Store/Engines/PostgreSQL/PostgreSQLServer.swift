import POSIX

/// A PostgreSQL database as it was configured, and how it is connected to.
public struct PostgreSQLServer: Sendable {
  /// What a connection is for.
  enum Use: Sendable {
    case writing
    case reading
    /// Reads of the whole database, which may take long.
    case readingWhole
    /// Short looks at the leases of processes.
    case heartbeats

    /// How long one statement may take, in seconds.
    var statementSeconds: Int {
      switch self {
      case .writing, .reading: 30
      case .readingWhole: 3_600
      case .heartbeats: 5
      }
    }

    /// How long a connection waits for an answer of a server that answers others: the server should be the first to end it.
    var patience: Duration { .seconds(statementSeconds + (self == .heartbeats ? 1 : 10)) }
  }

  public var address: PostgreSQLAddress
  /// Nil where the server asks for none. Asked for with each connection.
  public var password = RenewableSecret<String?>(constant: nil)
  public var leases = LeaseRules()
  /// Whether the time of the store is the server's. Machines whose clocks differ then have the same limits.
  public var givesTime = true
  /// Whether statements share round trips, and changes what they read. False only to measure what that brings.
  public var sendsAhead = true
  /// By which a server is waited for.
  public var clock = PostgreSQLClock()

  public init(address: PostgreSQLAddress) { self.address = address }

  /// How long all addresses together, and each at least, may take to let a connection in.
  private static let connecting = (together: Duration.seconds(3), each: Duration.seconds(2))

  /// - Parameter reach: of the other connections of the process; nil for one that is alone.
  /// - Throws: a ``PostgreSQLFault``.
  func connect(
    for use: Use, over reach: PostgreSQLReach? = nil, givingUpIf isGivenUp: @escaping @Sendable () -> Bool = { false }
  ) throws(PostgreSQLFault) -> PostgreSQLConnection {
    let reach = reach ?? PostgreSQLReach(clock: clock)
    do throws(PostgreSQLFault) {
      let known = try? password.current()
      do throws(PostgreSQLFault) {
        return try connect(for: use, with: known?.value, reach, isGivenUp)
      } catch {
        guard error.isOfThePassword, let present = known.flatMap(password.renewed) else { throw error }
        return try connect(for: use, with: present.value, reach, isGivenUp)
      }
    } catch {
      if error.isSilence { reach.noteSilence(isOfNewConnection: true) } else { reach.noteLoss(error) }
      throw error
    }
  }

  private func connect(
    for use: Use, with password: String?, _ reach: PostgreSQLReach, _ isGivenUp: @escaping @Sendable () -> Bool
  ) throws(PostgreSQLFault) -> PostgreSQLConnection {
    let targets = PostgreSQLTarget.all(of: address)
    let limit = max(Self.connecting.together / max(targets.count, 1), Self.connecting.each)
    var fault = PostgreSQLFault.lost("there is no address to connect to")
    for (number, target) in targets.enumerated() {
      do throws(PostgreSQLFault) {
        let connection = try PostgreSQLConnection(
          settings(for: target, password), within: limit, patience: use.patience, reach: reach, givingUpIf: isGivenUp)
        connection.sendsAhead = sendsAhead
        try PostgreSQLSettings(use).apply(to: connection)
        return connection
      } catch {
        // What a server has said tells more than the silence of another.
        if number == 0 || error.state != nil || (fault.state == nil && !error.isSilence) { fault = error }
      }
    }
    throw fault
  }

  /// Every keyword that the environment of the process could set otherwise is given; libpq would warn of a password file
  /// that is there and is none. What a pooler does not pass on is set afterwards: see ``PostgreSQLSettings``.
  private func settings(for target: PostgreSQLTarget, _ password: String?) -> [(key: String, value: String)] {
    target.settings + address.settings + [
      ("password", password ?? ""), ("passfile", "/dev/null/none"), ("client_encoding", "UTF8"), ("options", ""),
      ("application_name", "atelier"), ("tcp_user_timeout", "10000"), ("keepalives_idle", "60"),
      ("gssencmode", "disable"), ("target_session_attrs", "read-write"),
    ]
  }
}
