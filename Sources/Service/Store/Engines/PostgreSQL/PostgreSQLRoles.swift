/// The roles of a database: one owns the tables, makes them and brings them up to date; services work with another one,
/// which can do what their statements need.
///
/// A role that owns the tables can also switch off their rules, and so alter what has been written of credits.
enum PostgreSQLRoles {
  /// What the schema says of its tables, and of those that only this engine has.
  static let privileges = Schema.privileges.merging(
    [
      "atelier_schema": "", "atelier_writer": "INSERT, UPDATE (latest), DELETE",
      "process_lease": "INSERT, UPDATE (lease), DELETE",
    ]
  ) { $1 }

  /// The functions that statements call and an administrator could take from a role: the schema's own, and those of locks.
  private static let functions =
    PostgreSQLText.functionNames + ["pg_advisory_xact_lock", "pg_advisory_xact_lock_shared"]

  /// Lets `role` work with the tables, and takes from it whatever else it could do with them.
  static func grant(to role: String, in session: PostgreSQLSession) throws {
    let name = quoted(role)
    try session.run("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM \(name)")
    try session.run("GRANT USAGE ON SCHEMA public TO \(name)")
    try session.run("GRANT SELECT ON ALL TABLES IN SCHEMA public TO \(name)")
    for (table, changes) in privileges.sorted(by: { $0.key < $1.key }) where !changes.isEmpty {
      try session.run("GRANT \(changes) ON \(table) TO \(name)")
    }
  }

  /// Takes from everybody what a database grants them by itself: tables and temporary tables of their own, which would
  /// stand before those that a rule asks. What belongs to somebody else stays as it is.
  static func close(_ database: String, in session: PostgreSQLSession) throws {
    try session.run("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
    try session.run("REVOKE TEMPORARY ON DATABASE \(quoted(database)) FROM PUBLIC")
  }

  /// The roles that may read the version of the tables, besides their owner.
  static func granted(in session: PostgreSQLSession) throws -> [String] {
    try session.values(
      """
      SELECT DISTINCT CAST(pg_get_userbyid(entry.grantee) AS TEXT)
      FROM pg_class, aclexplode(pg_class.relacl) AS entry
      WHERE pg_class.oid = CAST('public.atelier_schema' AS regclass) AND entry.grantee NOT IN (0, pg_class.relowner)
      ORDER BY 1
      """)
  }

  static func exists(_ role: String, in session: PostgreSQLSession) throws -> Bool {
    try session.finds("SELECT 1 FROM pg_roles WHERE rolname = ?", [role])
  }

  /// Whether a role can do what the owner of the tables can.
  static func owns(_ role: String, in session: PostgreSQLSession) throws -> Bool {
    try session.value(
      """
      SELECT bool_or(pg_has_role(CAST(? AS name), relowner, 'USAGE')) FROM pg_class
      WHERE relnamespace = CAST('public' AS regnamespace) AND relkind = 'r'
      """, [role]) ?? false
  }

  /// Whether a role can do so already, or can make itself the owner, or a member of its role: before 16, whoever may make
  /// roles could grant every one.
  static func mayBecomeOwner(_ role: String, in session: PostgreSQLSession) throws -> Bool {
    try session.value(
      """
      SELECT COALESCE(bool_or(pg_has_role(CAST(?1 AS name), relowner, 'MEMBER')), FALSE) OR EXISTS (
        SELECT 1 FROM pg_roles WHERE rolname = CAST(?1 AS name) AND (
          rolsuper OR rolcreaterole AND CAST(current_setting('server_version_num') AS BIGINT) < 160000))
      FROM pg_class WHERE relnamespace = CAST('public' AS regnamespace) AND relkind = 'r'
      """, [role]) ?? false
  }

  /// What a role may do to the tables, or beside them, besides what it needs, as `UPDATE on transfer`.
  static func surplus(of role: String, in session: PostgreSQLSession) throws -> [String] {
    let beside: [String] = try session.values(
      """
      SELECT name FROM (VALUES
        ('CREATE on the schema public', has_schema_privilege(CAST(?1 AS name), 'public', 'CREATE')),
        ('TEMPORARY on the database', has_database_privilege(CAST(?1 AS name), current_database(), 'TEMPORARY'))
      ) AS privilege (name, has) WHERE has ORDER BY name
      """, [role])
    return try differences(of: role, in: session).surplus + beside
  }

  /// What the role of a session may not do, though services need it, as `UPDATE on generation`.
  static func missing(in session: PostgreSQLSession) throws -> [String] {
    guard let role: String = try session.value("SELECT CAST(current_user AS TEXT)") else { return [] }
    // What is not there is told of as the table's own lack.
    let beside: [String] = try session.values(
      """
      SELECT 'USAGE on the schema public' WHERE NOT has_schema_privilege('public', 'USAGE')
      UNION ALL
      SELECT 'EXECUTE on the function ' || CAST(proname AS TEXT) FROM pg_proc
      WHERE CAST(proname AS TEXT) IN (\(functions.map { "'\($0)'" }.joined(separator: ", ")))
        AND NOT has_function_privilege(pg_proc.oid, 'EXECUTE')
      """)
    return try differences(of: role, in: session).missing + beside
  }

  /// The tables of which row security would hide rows from a role, if it is not told to refuse instead.
  static func hidden(from role: String, in session: PostgreSQLSession) throws -> [String] {
    try session.values(
      """
      SELECT CAST(relname AS TEXT) FROM pg_class
      WHERE relnamespace = CAST('public' AS regnamespace) AND relkind = 'r' AND relrowsecurity
        AND (relforcerowsecurity OR NOT pg_has_role(CAST(?1 AS name), relowner, 'USAGE'))
        AND NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = CAST(?1 AS name) AND (rolsuper OR rolbypassrls))
      ORDER BY 1
      """, [role])
  }

  private static func differences(
    of role: String, in session: PostgreSQLSession
  ) throws -> (surplus: [String], missing: [String]) {
    let rows = try session.rows(
      """
      SELECT kind, CAST(relname AS TEXT) AS owner, '' AS name
      FROM pg_class, (VALUES ('SELECT'), ('INSERT'), ('DELETE'), ('TRUNCATE'), ('TRIGGER')) AS kinds (kind)
      WHERE relnamespace = CAST('public' AS regnamespace) AND relkind = 'r' AND CASE
        WHEN kind IN ('SELECT', 'INSERT') THEN has_any_column_privilege(CAST(?1 AS name), pg_class.oid, kind)
        ELSE has_table_privilege(CAST(?1 AS name), pg_class.oid, kind) END
      UNION ALL
      SELECT 'UPDATE', CAST(relname AS TEXT), CAST(attname AS TEXT)
      FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
      WHERE relnamespace = CAST('public' AS regnamespace) AND relkind = 'r'
        AND has_column_privilege(CAST(?1 AS name), pg_class.oid, attnum, 'UPDATE')
      """, [role])
    let present = Set(
      try rows.map { Change(kind: try $0.value("kind"), table: try $0.value("owner"), column: try $0.value("name")) })
    var needed: Set<Change> = []
    for (table, changes) in privileges {
      needed.insert(Change(kind: "SELECT", table: table, column: ""))
      for privilege in Schema.Privilege.list(changes) {
        for column in privilege.columns.isEmpty ? [""] : privilege.columns {
          needed.insert(Change(kind: privilege.kind, table: table, column: column))
        }
      }
    }
    return (Change.texts(present.subtracting(needed)), Change.texts(needed.subtracting(present)))
  }

  /// What a role may do to a table.
  private struct Change: Hashable {
    var kind: String
    var table: String
    /// The one that it may update; empty for all other kinds.
    var column: String

    /// As `UPDATE (amount, hash) on transfer`.
    static func texts(_ changes: Set<Change>) -> [String] {
      Dictionary(grouping: changes) { Change(kind: $0.kind, table: $0.table, column: "") }.map { change, parts in
        let columns = parts.map(\.column).filter { !$0.isEmpty }.sorted().joined(separator: ", ")
        return "\(change.kind)\(columns.isEmpty ? "" : " (\(columns))") on \(change.table)"
      }.sorted()
    }
  }

  /// A name as statements have it.
  static func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
}
