import Testing

@testable import Store

@Suite("Values on their way to PostgreSQL and back", .withPostgreSQL)
struct PostgreSQLValueTests {
  let database: TestDatabase
  let connection: PostgreSQLConnection
  init() throws {
    database = try TestDatabase.empty()
    connection = try database.server.connect(for: .writing)
  }

  private func value(_ text: String, _ values: SQLValues = []) throws -> SQLValue? {
    guard case .rows(let rows) = try connection.exchange([.init(text: text, values: values)]).last else { return nil }
    return rows.first?.values.first
  }

  static let answers: [(expression: String, value: SQLValue)] = [
    ("TRUE", .integer(1)), ("FALSE", .integer(0)),
    ("CAST(-32768 AS SMALLINT)", .integer(-32_768)), ("-2147483648", .integer(-2_147_483_648)),
    ("9223372036854775807", .integer(.max)), ("CAST(-9223372036854775807 AS BIGINT) - 1", .integer(.min)),
    ("CAST(4294967295 AS OID)", .integer(4_294_967_295)),
    ("CAST(1.5 AS REAL)", .real(1.5)), ("CAST(-0.1 AS DOUBLE PRECISION)", .real(-0.1)),
    ("CAST('NaN' AS DOUBLE PRECISION) > 1", .integer(1)),
    // A sum of whole numbers is a numeric.
    ("(SELECT sum(CAST(n AS BIGINT)) FROM (VALUES (1), (2)) AS list (n))", .integer(3)),
    ("(SELECT sum(n) FROM (VALUES (9223372036854775807), (-1)) AS list (n))", .integer(.max - 1)),
    ("(SELECT sum(CAST(n AS BIGINT)) FROM (VALUES (-7), (-10000)) AS list (n))", .integer(-10_007)),
    ("(SELECT sum(n) FROM (VALUES (1)) AS list (n) WHERE n > 1)", .null),
    ("(SELECT count(*) FROM (VALUES (1), (2)) AS list (n))", .integer(2)),
    ("CAST(0 AS NUMERIC)", .integer(0)), ("CAST(10000 AS NUMERIC)", .integer(10_000)),
    ("CAST(100000000 AS NUMERIC)", .integer(100_000_000)), ("CAST(-123456789012 AS NUMERIC)", .integer(-123_456_789_012)),
    ("CAST(9223372036854775807 AS NUMERIC)", .integer(.max)),
    ("CAST(-9223372036854775808 AS NUMERIC)", .integer(.min)),
    ("1.5", .real(1.5)), ("-1.25", .real(-1.25)), ("0.0001", .real(0.0001)), ("12345.678", .real(12_345.678)),
    ("CAST(2 AS NUMERIC(4, 2))", .real(2)),
    ("0.00000001", .real(0.000_000_01)),
    ("''", .text("")), ("CAST('灯台 é' AS VARCHAR)", .text("灯台 é")), ("CAST('n' AS NAME)", .text("n")),
    ("CAST('' AS BYTEA)", .bytes([])), ("CAST('\\x00ff10' AS BYTEA)", .bytes([0, 255, 16])),
    ("NULL", .null), ("CAST(NULL AS BIGINT)", .null), ("pg_advisory_xact_lock(1)", .null),
  ]

  @Test("an answer of each type is what SQLite would have said", arguments: answers)
  func types(expression: String, value: SQLValue) throws {
    #expect(try self.value("SELECT \(expression) AS answer") == value)
  }

  @Test(
    "an answer that no whole number of eight bytes can hold is a fault, and the connection goes on",
    arguments: [
      "CAST(9223372036854775808 AS NUMERIC)", "CAST(-9223372036854775809 AS NUMERIC)",
      "CAST(1e30 AS NUMERIC)", "CAST('{1}' AS BIGINT[])", "now()",
    ])
  func unexpected(expression: String) throws {
    #expect(throws: PostgreSQLFault.self) { try value("SELECT \(expression) AS answer") }
    #expect(try value("SELECT 1 AS answer") == .integer(1))
  }

  static let texts = ["", "a", "'; DROP TABLE a; --", "e\u{301} \u{1F469}\u{200D}\u{1F680}", "\\x00", "\n\t\"\\", "?1 $1"]

  @Test("a text comes back as it was sent", arguments: texts)
  func text(text: String) throws {
    guard case .text(let found) = try value("SELECT CAST(? AS TEXT)", [text]) else {
      Issue.record("no text came back")
      return
    }
    #expect(Array(found.utf8) == Array(text.utf8))
  }

  @Test("a text with a zero character is refused before it is sent, and the connection goes on")
  func zero() throws {
    let fault = #expect(throws: PostgreSQLFault.self) { try value("SELECT CAST(? AS TEXT)", ["a\u{0}b"]) }
    #expect(fault?.state == "22021" && fault?.remedy == PostgreSQLFault.Remedy.none)
    // Also between others of the same exchange.
    let statements: [PostgreSQLConnection.Statement] = [
      .init(text: "SELECT 1 AS first"), .init(text: "SELECT CAST(? AS TEXT)", values: ["\u{0}"]),
      .init(text: "SELECT 2 AS last"),
    ]
    #expect(throws: PostgreSQLFault.self) { try connection.exchange(statements) }
    #expect(try value("SELECT 3 AS answer") == .integer(3))
    #expect(try value("SELECT CAST(? AS TEXT)", ["ab"]) == .text("ab"))
  }

  @Test("a number, bytes and null come back as they were sent")
  func others() throws {
    for number in [0, 1, -1, .max, .min] as [Int64] {
      #expect(try value("SELECT CAST(? AS BIGINT)", [number]) == .integer(number))
    }
    for number in [0.1, -1e300, Double.leastNonzeroMagnitude, .infinity, -0.0] {
      #expect(try value("SELECT CAST(? AS DOUBLE PRECISION)", [number]) == .real(number))
    }
    for bytes in [[], [0], [0, 255, 0], Array(0...255)] as [[UInt8]] {
      #expect(try value("SELECT CAST(? AS BYTEA)", [Bytes(bytes)]) == .bytes(bytes))
    }
    #expect(try value("SELECT CAST(? AS BIGINT)", [nil as Int64?]) == .null)
    #expect(try value("SELECT CAST(? AS TEXT)", [nil as String?]) == .null)
    #expect(try value("SELECT CAST(? AS DOUBLE PRECISION)", [Double.nan]) == .null)
  }
}
