/// What a database on a server has besides rows, and Atelier does not make: it could change what is written, or show it
/// otherwise.
enum PostgreSQLObjects {
  /// Rules, tables, views and functions of somebody else's, such as `trigger gift on hold`. Those of extensions are none.
  static func foreign(in session: PostgreSQLSession) throws -> [String] {
    let triggers = PostgreSQLSchema.triggerNames
    let tables = PostgreSQLRoles.privileges.keys.sorted()
    let isOwn = "NOT EXISTS (SELECT 1 FROM pg_depend WHERE pg_depend.objid = object.oid AND deptype = 'e')"
    return try session.values(
      """
      SELECT 'trigger ' || CAST(tgname AS TEXT) || ' on ' || CAST(relname AS TEXT) AS name
      FROM pg_trigger AS object JOIN pg_class ON pg_class.oid = tgrelid
      WHERE NOT tgisinternal AND relnamespace = CAST('public' AS regnamespace)
        AND CAST(tgname AS TEXT) NOT IN (SELECT jsonb_array_elements_text(CAST(?1 AS jsonb)))
      UNION ALL
      SELECT 'rule ' || CAST(rulename AS TEXT) || ' on ' || CAST(relname AS TEXT)
      FROM pg_rewrite AS object JOIN pg_class ON pg_class.oid = ev_class
      WHERE relnamespace = CAST('public' AS regnamespace) AND relkind = 'r'
      UNION ALL
      SELECT CASE relkind WHEN 'r' THEN 'table ' ELSE 'view ' END || CAST(relname AS TEXT) FROM pg_class AS object
      WHERE relnamespace = CAST('public' AS regnamespace) AND relkind IN ('r', 'v', 'm', 'f', 'p') AND \(isOwn)
        AND CAST(relname AS TEXT) NOT IN (SELECT jsonb_array_elements_text(CAST(?2 AS jsonb)))
      UNION ALL
      SELECT 'function ' || CAST(proname AS TEXT) FROM pg_proc AS object
      WHERE pronamespace = CAST('public' AS regnamespace) AND \(isOwn)
        AND CAST(proname AS TEXT) NOT IN (SELECT jsonb_array_elements_text(CAST(?3 AS jsonb)))
      ORDER BY 1
      """,
      [
        try StoredText.json(triggers), try StoredText.json(tables),
        try StoredText.json(triggers + PostgreSQLText.functionNames),
      ])
  }
}
