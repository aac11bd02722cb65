import Foundation
import Testing

@testable import Store

/// A database on the PostgreSQL server of the tests, with the tables of the store, which ends with this object.
final class TestDatabase: Sendable {
  /// The folder of the server's socket; nil where no server was started: see scripts/with-postgresql.sh.
  static let folder = ProcessInfo.processInfo.environment["ATELIER_TEST_POSTGRESQL"]
  /// Whether all tests of the store run on PostgreSQL, in place of SQLite.
  static let isUsed = ProcessInfo.processInfo.environment["ATELIER_TEST_ENGINE"] == "postgresql"

  /// With the role of a service, where there are tables.
  let server: PostgreSQLServer
  /// With the role that owns the tables.
  var owner: PostgreSQLServer { Self.server(named: server.address.database) }

  /// The role of services. It may become the owner, which only ``SQLSession/becomeOwner()`` does.
  private static let service = "service_\(UInt64.random(in: 0...UInt64.max))"

  /// A role of services as an administrator makes it, of which no database knows anything.
  static func makeService() throws -> String {
    let name = "service_\(UInt64.random(in: 0...UInt64.max))"
    try run("CREATE ROLE \(name) LOGIN")
    return name
  }

  /// - Throws: when there is no server, or it refuses.
  convenience init() throws {
    try self.init(like: Self.template.get(), user: Self.service)
  }

  /// - Parameters:
  ///   - template: a database that nobody is connected to.
  ///   - rest: of the statement that makes the database.
  private init(like template: String, _ rest: String = "", user: String = "postgres") throws {
    let name = "atelier_\(UInt64.random(in: 0...UInt64.max))"
    // The files of the template are copied as they are, which takes less than writing them to the log.
    try Self.run("CREATE DATABASE \(name) TEMPLATE \(template) \(Self.copying) \(rest)")
    server = Self.server(named: name, user: user)
  }

  /// Lets a process be gone for good.
  func endLease(of process: ProcessID) throws {
    let end = PostgreSQLConnection.Statement(
      text: "DELETE FROM process_lease WHERE process = ?", values: [process.rawValue])
    try PostgreSQLLink(server, for: .reading).withConnection { connection in _ = try connection.exchange([end]) }
  }

  /// A database without tables.
  static func empty(encoding: String = "UTF8") throws -> TestDatabase {
    try TestDatabase(like: "template0", "ENCODING '\(encoding)' LC_COLLATE 'C' LC_CTYPE 'C'")
  }

  deinit { try? Self.run("DROP DATABASE \(server.address.database) WITH (FORCE)") }

  /// The tables are made once for all tests of this process.
  private static let template = Result {
    let name = "template_\(UInt64.random(in: 0...UInt64.max))"
    try run("CREATE DATABASE \(name) TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8'")
    try run("CREATE ROLE \(service) LOGIN NOINHERIT")
    _ = try PostgreSQLPreparation(server(named: name)).run(for: service)
    try run("GRANT postgres TO \(service)")
    return name
  }
  /// The choice is of version 15; earlier ones have always copied.
  private static let copying = version >= 150_000 ? "STRATEGY file_copy" : ""

  /// The server's version, such as 150004; 0 where none answers.
  static let version = (try? administrator.withConnection { $0.serverVersion }) ?? 0

  static func server(named name: String, user: String = "postgres") -> PostgreSQLServer {
    let host = PostgreSQLAddress.Host(name: folder ?? "/nowhere", port: 5432)
    var server = PostgreSQLServer(
      address: PostgreSQLAddress(hosts: [host], user: user, database: name, transport: "disable"))
    // Time passes where a test says so.
    server.givesTime = false
    let day = Duration.seconds(86_400)
    (server.leases.lease, server.leases.heartbeat, server.leases.proving) = (day, day, .zero)
    return server
  }

  /// Ends a connection to this database from the server's side.
  func terminate(_ backend: Int) throws { try Self.run("SELECT pg_terminate_backend(\(backend))") }

  /// Ends every connection to this database.
  func terminateAll() throws {
    try Self.run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(server.address.database)'")
  }

  /// Runs a statement outside of the databases of tests.
  static func run(_ statement: String) throws {
    try administrator.withConnection { connection in _ = try connection.exchange([.init(text: statement)]) }
  }

  private static let administrator = PostgreSQLLink(server(named: "postgres"), for: .readingWhole)
}

extension SQLSession {
  /// Lets the rest of a transaction do what only the owner of the tables may.
  func becomeOwner() throws {
    if TestDatabase.isUsed { try run("SET LOCAL ROLE postgres") }
  }
}

extension Trait where Self == ConditionTrait {
  /// For what is about SQLite's file, or looks into it.
  static var onlySQLite: Self { .enabled(if: !TestDatabase.isUsed, "This is about SQLite.") }

  /// For what needs a PostgreSQL server, whatever the other tests run on.
  static var withPostgreSQL: Self {
    .enabled(if: TestDatabase.folder != nil, "no PostgreSQL server was started: see scripts/with-postgresql.sh")
  }
}
