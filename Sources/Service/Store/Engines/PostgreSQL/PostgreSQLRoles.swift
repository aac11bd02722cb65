/// The roles of a database: one owns the tables, makes them and brings them up to date; services work with another one,
/// which can do what their statements need.
///
/// A role that owns the tables can also switch off their rules, and so alter what has been written of credits.
enum PostgreSQLRoles {
  /// What the schema says of its tables, and of those that only this engine has.
  static let privileges = Schema.privileges.merging(
    ["atelier_schema": "", "atelier_writer": "INSERT, UPDATE, DELETE", "process_lease": "INSERT, UPDATE, DELETE"]
  ) { $1 }

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

  /// What a role may not do to the tables, though it needs it.
  static func missing(of role: String, in session: PostgreSQLSession) throws -> [String] {
    try differences(of: role, in: session).missing
  }

  private static func differences(
    of role: String, in session: PostgreSQLSession
  ) throws -> (surplus: [String], missing: [String]) {
    let present: [String] = try session.values(
      """
      SELECT kind || ' on ' || CAST(relname AS TEXT)
      FROM pg_class, (VALUES ('SELECT'), ('INSERT'), ('UPDATE'), ('DELETE'), ('TRUNCATE'), ('TRIGGER')) AS kinds (kind)
      WHERE relnamespace = CAST('public' AS regnamespace) AND relkind = 'r' AND CASE
        WHEN kind IN ('SELECT', 'INSERT', 'UPDATE') THEN has_any_column_privilege(CAST(?1 AS name), pg_class.oid, kind)
        ELSE has_table_privilege(CAST(?1 AS name), pg_class.oid, kind) END
      ORDER BY 1
      """, [role])
    var needed: [String] = []
    for (table, changes) in privileges {
      needed.append("SELECT on \(table)")
      for change in changes.split(separator: ", ") {
        needed.append("\(change.split(separator: " ").first ?? change) on \(table)")
      }
    }
    let known = Set(needed)
    return (present.filter { !known.contains($0) }, known.subtracting(present).sorted())
  }

  /// A name as statements have it.
  static func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
}
