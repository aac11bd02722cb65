import POSIX

/// Makes the tables of a database on a server, or brings them up to date, and lets the roles of services work with them.
///
/// The owner of the tables does it, before the first service starts and after each update of Atelier.
public struct PostgreSQLPreparation: Sendable {
  /// What was done.
  public struct Report: Codable, Sendable, Equatable {
    /// The database, without the user.
    public var database: String
    /// The version of the tables before; absent for an empty database.
    public var previousVersion: Int?
    public var schemaVersion: Int
    /// The roles that services may have.
    public var roles: [String]
  }

  let server: PostgreSQLServer

  /// What the owner of the tables types in a shell, so that the role of a service can work with them.
  static func command(for server: PostgreSQLServer) -> String {
    "atelier store prepare --url postgresql://OWNER@… --role \(ShellWord(server.address.user))"
  }

  /// - Parameter server: with the user that owns the tables, or will.
  public init(_ server: PostgreSQLServer) { self.server = server }

  /// - Parameter role: a role that services have from now on. Those that they had keep what they need.
  /// - Throws: a ``StoreError``; nothing has changed then.
  public func run(for role: String?) throws(StoreError) -> Report {
    do {
      return try prepare(role)
    } catch let error as StoreError {
      throw error
    } catch {
      let fault = PostgreSQLError.fault(error, server: server)
      throw fault?.reason
        ?? StoreError(.failed, "The database \(server.address.shown) cannot be prepared: \(fault?.message ?? "\(error)").")
    }
  }

  private func prepare(_ role: String?) throws -> Report {
    let opening = PostgreSQLOpening(server: server)
    let connection = try opening.connect()
    let before = try opening.version(connection)
    return try opening.transaction(over: connection) { session in
      if let role, try !PostgreSQLRoles.exists(role, in: session) {
        let statement = "CREATE ROLE \(PostgreSQLRoles.quoted(role)) LOGIN PASSWORD '…'"
        throw refusal("“\(role)” is no role of the server. Make it with: \(statement)")
      }
      try opening.bringUpToDate(connection, session)
      // Whoever may grant nothing is only warned by the server.
      guard try PostgreSQLRoles.owns(server.address.user, in: session) else {
        throw refusal("“\(server.address.user)” does not own its tables. Name the role that does in the address.")
      }
      if let role, try PostgreSQLRoles.mayBecomeOwner(role, in: session) {
        throw refusal(
          "“\(role)” owns the tables or can make itself their owner, so that it could alter what is written. Name another "
            + "role.")
      }
      let roles = Set(try PostgreSQLRoles.granted(in: session) + [role].compactMap(\.self)).sorted()
      for role in roles { try PostgreSQLRoles.grant(to: role, in: session) }
      if !roles.isEmpty { try PostgreSQLRoles.close(server.address.database, in: session) }
      // What somebody else has granted, or granted to everybody, only they can take away.
      for role in roles {
        let surplus = try PostgreSQLRoles.surplus(of: role, in: session)
        if !surplus.isEmpty { throw refusal(Self.advice(on: role, surplus, server.address.database)) }
      }
      return Report(
        database: server.address.shown, previousVersion: before, schemaVersion: Schema.version, roles: roles)
    }
  }

  private static func advice(on role: String, _ surplus: [String], _ database: String) -> String {
    "“\(role)” may do more than it needs, and not by a grant of the tables' owner: "
      + "\(surplus.prefix(5).joined(separator: ", ")). Let an administrator of the server take away what it is a member "
      + "of, or: REVOKE CREATE ON SCHEMA public FROM PUBLIC; "
      + "REVOKE TEMPORARY ON DATABASE \(PostgreSQLRoles.quoted(database)) FROM PUBLIC"
  }

  private func refusal(_ fact: String) -> StoreError {
    StoreError(.failed, "The database \(server.address.shown) was left as it is: \(fact)")
  }
}
