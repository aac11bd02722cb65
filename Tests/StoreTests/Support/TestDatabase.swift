import Foundation
import Synchronization

@testable import Store

/// A database on the PostgreSQL server of the tests, with the tables of the store, which ends with this object.
final class TestDatabase: Sendable {
  /// The folder of the server's socket; nil where no server was started: see scripts/with-postgresql.sh.
  static let folder = ProcessInfo.processInfo.environment["ATELIER_TEST_POSTGRESQL"]
  /// Whether all tests of the store run on PostgreSQL, in place of SQLite.
  static let isUsed = ProcessInfo.processInfo.environment["ATELIER_TEST_ENGINE"] == "postgresql"

  let server: PostgreSQLServer

  /// - Throws: when there is no server, or it refuses.
  init() throws {
    let name = "atelier_\(UInt64.random(in: 0...UInt64.max))"
    try Self.template.get()
    try Self.run("CREATE DATABASE \(name) TEMPLATE \(Self.templateName)")
    server = Self.server(named: name)
  }

  /// Lets the lease of a process be over for longer than any work lasts.
  func endLease(of process: ProcessID) throws {
    let end = PostgreSQLConnection.Statement(
      text: "UPDATE process_lease SET lease = 0 WHERE process = ?", values: [process.rawValue])
    try PostgreSQLLink(server, for: .reading).withConnection { connection in _ = try connection.exchange([end]) }
  }

  deinit { try? Self.run("DROP DATABASE \(server.address.database) WITH (FORCE)") }

  /// The tables are made once for all tests of this process.
  private static let template = Result {
    try run("CREATE DATABASE \(templateName) TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8'")
    _ = try PostgreSQLOpening(server: server(named: templateName)).open()
  }
  private static let templateName = "template_\(UInt64.random(in: 0...UInt64.max))"

  static func server(named name: String) -> PostgreSQLServer {
    let host = PostgreSQLAddress.Host(name: folder ?? "/nowhere", port: 5432)
    var server = PostgreSQLServer(
      address: PostgreSQLAddress(hosts: [host], user: "postgres", database: name, transport: "disable"))
    // Time passes where a test says so.
    server.givesTime = false
    (server.leases.lease, server.leases.proving) = (.seconds(86_400), .zero)
    return server
  }

  /// Runs a statement outside of the databases of tests.
  static func run(_ statement: String) throws {
    try administrator.withConnection { connection in _ = try connection.exchange([.init(text: statement)]) }
  }

  private static let administrator = PostgreSQLLink(server(named: "postgres"), for: .readingWhole)
}
