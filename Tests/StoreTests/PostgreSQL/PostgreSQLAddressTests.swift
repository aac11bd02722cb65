import Support
import Testing

@testable import Store

@Suite("The address of a database on a server")
struct PostgreSQLAddressTests {
  typealias Host = PostgreSQLAddress.Host

  @Test("an address names servers, user and database", arguments: [
    ("postgresql://anna@db.example/shop", [Host(name: "db.example", port: 5432)], "anna", "shop", "verify-full"),
    ("postgres://anna@db.example:5433/shop", [Host(name: "db.example", port: 5433)], "anna", "shop", "verify-full"),
    ("postgresql://a%40b@localhost/s%20p", [Host(name: "localhost", port: 5432)], "a@b", "s p", "prefer"),
    ("postgresql://anna@%2Frun%2fpostgresql/shop", [Host(name: "/run/postgresql", port: 5432)], "anna", "shop", "prefer"),
    ("postgresql://anna@[::1]:6432/shop", [Host(name: "::1", port: 6432)], "anna", "shop", "prefer"),
    (
      "postgresql://anna@a.example,b.example:6000/shop?sslmode=verify-full",
      [Host(name: "a.example", port: 5432), Host(name: "b.example", port: 6000)], "anna", "shop", "verify-full"
    ),
    ("postgresql://anna@LOCALHOST./shop", [Host(name: "LOCALHOST.", port: 5432)], "anna", "shop", "prefer"),
    ("postgresql://anna@[::ffff:127.0.0.1]/shop", [Host(name: "::ffff:127.0.0.1", port: 5432)], "anna", "shop", "prefer"),
    ("postgresql://anna@127.evil.example/shop", [Host(name: "127.evil.example", port: 5432)], "anna", "shop", "verify-full"),
    ("postgresql://anna@127.0.0.1/shop?sslmode=disable", [Host(name: "127.0.0.1", port: 5432)], "anna", "shop", "disable"),
  ])
  func whole(text: String, hosts: [Host], user: String, database: String, transport: String) throws {
    let address = try PostgreSQLAddress(parsing: text)
    #expect(address.hosts == hosts && address.user == user && address.database == database)
    #expect(address.transport == transport && !address.shown.contains(user))
  }

  @Test("an address with what must not be in it is refused by name", arguments: [
    ("", .scheme), ("mysql://a@b/c", .scheme), ("POSTGRESQL://a@b/c", .scheme),
    ("postgresql://", .incomplete), ("postgresql://db.example/shop", .incomplete),
    ("postgresql://@db.example/shop", .incomplete),
    ("postgresql://a@db.example", .incomplete), ("postgresql://a@db.example/", .incomplete),
    ("postgresql://a@db.example/b/c", .incomplete),
    ("postgresql://a:secret@db.example/shop", .password), ("postgresql://a@b/c?password=secret", .password),
    ("postgresql://a:se@cret@db.example/shop", .password), ("postgresql://a@b/c?passfile=/x", .unknownOption),
    ("postgresql://a%zz@db.example/shop", .encoding), ("postgresql://a@db.example/%", .encoding),
    ("postgresql://a%00@db.example/shop", .encoding), ("postgresql://a%ff@db.example/shop", .encoding),
    ("postgresql://a@db example/shop", .host), ("postgresql://a@/shop", .host), ("postgresql://a@b,,c/shop", .host),
    ("postgresql://a@[::1]x/shop", .host),
    ("postgresql://a@b:0/shop", .port), ("postgresql://a@b:65536/shop", .port), ("postgresql://a@b:x/shop", .port),
    ("postgresql://a@b:/shop", .port),
    ("postgresql://a@b/c?host=d", .unknownOption), ("postgresql://a@b/c?sslrootcert=relative", .unknownOption),
    ("postgresql://a@b/c?sslmode=strong", .transport),
    ("postgresql://a@127.evil.example/c?sslmode=disable", .weakTransport),
    ("postgresql://a@127.0.0.1.example/c?sslmode=prefer", .weakTransport),
    ("postgresql://a@127.1/c?sslmode=disable", .weakTransport), ("postgresql://a@0/c?sslmode=disable", .weakTransport),
    ("postgresql://a@b/c?sslmode=require", .weakTransport), ("postgresql://a@localhost,b/c?sslmode=disable", .weakTransport),
  ] as [(String, PostgreSQLAddress.Problem)])
  func refused(text: String, problem: PostgreSQLAddress.Problem) {
    #expect(throws: problem) { try PostgreSQLAddress(parsing: text) }
    #expect(problem.phrase.hasPrefix("must"))
  }

  @Test("an address that is broken neither traps nor shows its password", arguments: 1...200 as ClosedRange<UInt64>)
  func hostile(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let parts = [
      "postgresql://", "anna", ":", "hunter2secret", "@", "db.example", "/", "shop", "?", "sslmode=", "&", "%", "[", "]",
      ",",
    ]
    let text = "postgresql://" + (0..<Int.random(in: 1...12, using: &random)).map { _ in
      parts.randomElement(using: &random) ?? ""
    }.joined()
    do {
      let shown = try PostgreSQLAddress(parsing: text).shown
      // A word in the place of a server or a database is one.
      #expect(!shown.contains("hunter2secret") || !text.contains(":hunter2secret@"), "\(text)")
    } catch {
      #expect(!error.phrase.contains("hunter2secret") && !error.phrase.contains("anna"), "\(text)")
    }
  }

  @Test("the words of libpq are shown only without the password")
  func refusals() {
    let harmless = ConnectionRefusal.fault("connection to server failed:\nNo such file", hiding: ["hunter2"])
    #expect(harmless.message == "connection to server failed: No such file" && harmless.state == nil)
    let telling = ConnectionRefusal.fault("invalid value \"hunter2\"", hiding: ["hunter2"])
    #expect(!telling.message.contains("hunter2") && telling.state == nil)
    #expect(ConnectionRefusal.fault("no password supplied", hiding: [""]).message == "no password supplied")
  }
}
