/// Where a database is: the part of a `postgresql://` address that may be shown.
public struct PostgreSQLAddress: Sendable, Equatable {
  /// One server of several that follow one another, each with a host or the folder of its socket.
  public struct Host: Sendable, Equatable {
    public var name: String
    public var port: Int

    var isSocket: Bool { name.hasPrefix("/") }
    var isLoopback: Bool { name == "localhost" || name.hasPrefix("127.") || name == "::1" }
  }

  public var hosts: [Host]
  public var user: String
  public var database: String
  /// How much the certificate of the server is worth: `verify-full` wherever others could listen.
  public var transport = "verify-full"
  /// The file of the authorities that are trusted.
  public var authorities = PostgreSQLAddress.systemAuthorities

  public static let systemAuthorities = "/etc/ssl/certs/ca-certificates.crt"

  /// As libpq's keywords.
  var settings: [(key: String, value: String)] {
    [
      ("host", hosts.map(\.name).joined(separator: ",")), ("port", hosts.map { "\($0.port)" }.joined(separator: ",")),
      ("user", user), ("dbname", database), ("sslmode", transport), ("sslrootcert", authorities),
    ]
  }

  /// For people: without the user.
  public var shown: String {
    "postgresql://" + hosts.map { "\($0.name):\($0.port)" }.joined(separator: ",") + "/\(database)"
  }
}
