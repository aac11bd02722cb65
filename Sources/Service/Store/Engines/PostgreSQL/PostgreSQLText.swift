/// A statement in the words of PostgreSQL. The texts keep to what the engines have in common; here the fixed phrases that
/// are left are exchanged, see ``SQLSession``.
enum PostgreSQLText {
  /// - Parameter hasParameters: false for a table or a trigger, in which a `?` stands in no place of a value.
  static func statement(_ text: String, hasParameters: Bool = true) -> String {
    var (result, rest, number) = ([UInt8](), Array(text.utf8)[...], 0)
    result.reserveCapacity(rest.count + 64)
    func takeParameter() {
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      rest = rest.dropFirst(digits.count)
      number = Int(String(decoding: digits, as: UTF8.self)) ?? number + 1
      result += "$\(number)".utf8
    }
    while let byte = rest.first {
      if hasParameters, rest.starts(with: list) {
        (rest, number) = (rest.dropFirst(list.count), number + 1)
        result += "= ANY (ARRAY(SELECT jsonb_array_elements_text($\(number)::jsonb)))".utf8
        continue
      }
      if let (phrase, translation) = phrases.first(where: { rest.starts(with: $0.phrase) }) {
        rest = rest.dropFirst(phrase.count)
        result += translation
        continue
      }
      switch byte {
      case UInt8(ascii: "'"):
        let end = rest.dropFirst().firstIndex(of: byte) ?? rest.endIndex - 1
        let literal = rest[...end]
        // The path of a member is its name here.
        result += literal.starts(with: path) ? [byte] + literal.dropFirst(path.count) : literal
        rest = rest[(end + 1)...]
      case UInt8(ascii: "\""):
        let end = rest.dropFirst().firstIndex(of: byte) ?? rest.endIndex - 1
        result += rest[...end]
        rest = rest[(end + 1)...]
      case UInt8(ascii: "-") where rest.starts(with: "--".utf8):
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
      case UInt8(ascii: " ") where rest.starts(with: hint):
        rest = rest.dropFirst(hint.count).drop { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") }
      case UInt8(ascii: "?") where hasParameters:
        rest.removeFirst()
        takeParameter()
      default:
        result.append(byte)
        rest.removeFirst()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// An array, unlike a query, is looked up in an index whatever the server expects of its length.
  private static let list = Array("IN (SELECT value FROM json_each(?))".utf8)
  private static let path = Array("'$.".utf8)
  private static let hint = Array(" INDEXED BY ".utf8)

  /// SQLite's `LIKE` ignores the case of ASCII letters, as `ILIKE` does where texts are compared byte by byte.
  private static let phrases: [(phrase: [UInt8], translation: [UInt8])] = [
    ("CROSS JOIN", "JOIN"), (" LIKE ", " ILIKE "),
    ("json_extract(", "atelier_member("),
  ].map { (Array($0.utf8), Array($1.utf8)) }

  static let functionNames = functions.matches(of: /CREATE FUNCTION (\w+)/).map { String($0.output.1) }

  /// What SQLite has, and the rules of the schema call, as functions of PostgreSQL.
  static let functions = """
    -- A member that is no text PostgreSQL can hold, such as one with a zero character, is none.
    CREATE FUNCTION atelier_member(document TEXT, name TEXT) RETURNS TEXT LANGUAGE plpgsql IMMUTABLE STRICT AS
      $$ BEGIN RETURN document::json ->> name; EXCEPTION WHEN data_exception THEN RETURN NULL; END $$;

    CREATE FUNCTION instr(text TEXT, part TEXT) RETURNS INTEGER LANGUAGE sql IMMUTABLE STRICT AS
      $$ SELECT strpos(text, part) $$;

    CREATE FUNCTION \(LedgerTable.function)(VARIADIC fields TEXT[]) RETURNS TEXT LANGUAGE sql IMMUTABLE AS
      $$ SELECT encode(sha256(convert_to(
        string_agg(COALESCE(octet_length(field) || ':' || field, '~'), '' ORDER BY place), 'UTF8')), 'hex')
        FROM unnest(fields) WITH ORDINALITY AS list (field, place) $$;

    CREATE FUNCTION \(DeletedAccount.function)(name TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE STRICT AS
      $$ SELECT CASE WHEN \(DeletedAccount.isDeleted("name")) THEN \(DeletedAccount.digest(ofDeletedName: "name"))
        ELSE \(LedgerTable.function)(name) END $$;
    """
}
