@testable import Store

/// The store's SQL as PostgreSQL reads it: only what the engines spell differently is exchanged, by fixed phrases.
enum PostgreSQLDialect {
  /// The tables and indexes, without the triggers.
  static func schema(_ text: String) -> String {
    text.replacing(/--[^\n]*/, with: "")
      .replacing("ordinal INTEGER PRIMARY KEY", with: "ordinal BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY")
      .replacing("INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT", with: "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY")
      .replacing(") STRICT, WITHOUT ROWID;", with: ");").replacing(") STRICT;", with: ");")
      .replacing(/\bINTEGER\b/, with: "BIGINT").replacing(/\bREAL\b/, with: "DOUBLE PRECISION")
      .replacing(/\bBLOB\b/, with: "BYTEA").replacing(/(\n\s+\w+) TEXT\b/) { "\($0.output.1) TEXT COLLATE \"C\"" }
  }

  /// The functions that hash the columns of a row of the ledger.
  static let hashFunction = """
    CREATE FUNCTION atelier_hash(VARIADIC fields TEXT[]) RETURNS TEXT LANGUAGE sql IMMUTABLE AS
      $$ SELECT encode(sha256(
        convert_to(string_agg(COALESCE(length(field) || ':' || field, '~'), '' ORDER BY place), 'UTF8')),
      'hex') FROM unnest(fields) WITH ORDINALITY AS list (field, place) $$;
    CREATE FUNCTION atelier_account_digest(name TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS
      $$ SELECT CASE WHEN name LIKE 'deleted:%' THEN substr(name, 9, 64) ELSE atelier_hash(name) END $$;
    """

  static func statement(_ text: String) -> String {
    let exchanged = text.replacing(/--[^\n]*/, with: "").replacing(/\ INDEXED BY \w+/, with: "")
      .replacing("CROSS JOIN", with: "JOIN")
      .replacing("SELECT value FROM json_each(?", with: "SELECT jsonb_array_elements_text((?::text)::jsonb")
      .replacing(/CAST\(json_extract\(([\w.]+), '\$\.(\w+)'\) AS TEXT\)/) {
        "(\($0.output.1)::jsonb ->> '\($0.output.2)')"
      }
      .replacing(/json_extract\((\w+), '\$\.(\w+)'\)/) { "(\($0.output.1)::jsonb ->> '\($0.output.2)')::bigint" }
      .replacing(/CAST\(round\((.*?)\) AS INTEGER\)/) { "CAST(round((\($0.output.1))::numeric) AS BIGINT)" }
      .replacing(/atelier_hash\(((?:[^()]|\([^()]*\))*)\)/) { call in
        "atelier_hash(\(call.output.1.split(separator: ",").map { "(\($0))::text" }.joined(separator: ", ")))"
      }
    return numbered(exchanged)
  }

  /// `?` as `$1`, `$2` and so on, but not in a text.
  private static func numbered(_ text: String) -> String {
    var (result, number, isInText) = ("", 0, false)
    var rest = Substring(text)
    while let character = rest.popFirst() {
      if character == "'" { isInText.toggle() }
      guard character == "?", !isInText else {
        result.append(character)
        continue
      }
      let digits = rest.prefix { $0.isNumber }
      rest = rest.dropFirst(digits.count)
      number = Int(digits) ?? number + 1
      result += "$\(number)"
    }
    return result
  }
}
