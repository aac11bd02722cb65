import Encodings

/// Where a database is: a `postgresql://` address, without its password.
public struct PostgreSQLAddress: Sendable, Equatable {
  /// One server, with a name or the folder of its socket.
  public struct Host: Sendable, Equatable {
    public var name: String
    public var port: Int

    /// Whether nobody else could listen.
    var isOnThisMachine: Bool { name.hasPrefix("/") || HostAddress(name).isLoopback }
  }

  /// Of several, the first that can be written to is used: those of a failover.
  public var hosts: [Host]
  public var user: String
  public var database: String
  /// What libpq calls `sslmode`.
  public var transport: String
  /// The file of the authorities whose certificates are trusted.
  public var authorities = PostgreSQLAddress.systemAuthorities

  static let systemAuthorities = "/etc/ssl/certs/ca-certificates.crt"

  /// As libpq's keywords, without those of a ``PostgreSQLTarget``. The file of the authorities is read with each connection.
  var settings: [(key: String, value: String)] {
    [("user", user), ("dbname", database), ("sslmode", transport), ("sslrootcert", authorities)]
  }

  /// Whether it is one on this machine which knows its clients by their users.
  public var isSocket: Bool { hosts.allSatisfy { $0.name.hasPrefix("/") } }

  /// For people: without the user.
  public var shown: String {
    "postgresql://" + hosts.map { "\($0.name.contains(":") ? "[\($0.name)]" : $0.name):\($0.port)" }.joined(separator: ",")
      + "/\(database)"
  }
}

// MARK: Parsing

extension PostgreSQLAddress {
  /// What is wrong with an address, phrased to follow its name. Holds nothing of the address: a part of it may be a
  /// password that stands in the wrong place.
  public enum Problem: Error, Sendable, Equatable {
    case scheme, incomplete, encoding, host, port, password, unknownOption, transport, weakTransport

    public var phrase: String {
      switch self {
      case .scheme: "must begin with postgresql://."
      case .incomplete: "must name a user and a database: postgresql://USER@HOST/DATABASE."
      case .encoding: "must have %, where it stands for itself, as %25, and each other sign after a % as two digits."
      case .host: "must name its servers with letters, digits, dots and hyphens, or the folder of a socket as %2Ffolder."
      case .port: "must have ports from 1 to 65535."
      case .password:
        "must not contain the password: it would stand in backups of this file. Put it into a file of its own and name "
          + "that in passwordFile, or into ATELIER_STORE_PASSWORD."
      case .unknownOption: "must have no other options than sslmode and sslrootcert."
      case .transport: "must have an sslmode that libpq knows: verify-full, or disable on this machine."
      case .weakTransport:
        "must keep sslmode=verify-full for a server on another machine: anything less accepts a stranger in its place."
      }
    }
  }

  /// - Throws: ``Problem``.
  public init(parsing text: String) throws(Problem) {
    guard let rest = ["postgresql://", "postgres://"].lazy.compactMap({ Self.rest(of: text, after: $0) }).first else {
      throw .scheme
    }
    let (address, options) = Self.halves(rest, at: "?")
    let (authority, path) = Self.halves(address, at: "/")
    guard let sign = authority.lastIndex(of: "@") else { throw .incomplete }
    guard !authority[..<sign].contains(":") else { throw .password }
    user = try Self.decoded(authority[..<sign])
    database = try Self.decoded(path ?? "")
    guard !user.isEmpty, !database.isEmpty, !database.contains("/") else { throw .incomplete }
    hosts = []
    for part in authority[authority.index(after: sign)...].split(separator: ",", omittingEmptySubsequences: false) {
      hosts.append(try Self.host(part))
    }
    let isOnThisMachine = hosts.allSatisfy(\.isOnThisMachine)
    transport = isOnThisMachine ? "prefer" : "verify-full"
    for option in options?.split(separator: "&") ?? [] { try apply(option) }
    if transport != "verify-full", !isOnThisMachine { throw .weakTransport }
  }

  private mutating func apply(_ option: Substring) throws(Problem) {
    let (name, value) = Self.halves(option, at: "=")
    let decoded = try Self.decoded(value ?? "")
    switch name {
    case "sslmode":
      guard ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"].contains(decoded) else { throw .transport }
      transport = decoded
    case "sslrootcert" where decoded.hasPrefix("/"): authorities = decoded
    case "password": throw .password
    default: throw .unknownOption
    }
  }

  private static func host(_ part: Substring) throws(Problem) -> Host {
    var (name, port) = (part, Substring?.none)
    if part.hasPrefix("["), let end = part.firstIndex(of: "]") {
      name = part[part.index(after: part.startIndex)..<end]
      let after = part[part.index(after: end)...]
      guard after.isEmpty || after.hasPrefix(":") else { throw .host }
      port = after.isEmpty ? nil : after.dropFirst()
    } else {
      (name, port) = halves(part, at: ":")
    }
    let decoded = try decoded(name)
    let isName = decoded.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", ".", "-", "_", ":": true
      default: false
      }
    }
    let isFolder = decoded.hasPrefix("/") && !decoded.utf8.contains(0) && !decoded.contains(",")
    guard !decoded.isEmpty, isName || isFolder else { throw .host }
    guard let number = port.map({ Int($0) }) ?? 5432, (1...65_535).contains(number) else { throw .port }
    return Host(name: decoded, port: number)
  }

  private static func rest(of text: String, after prefix: String) -> Substring? {
    text.hasPrefix(prefix) ? text.dropFirst(prefix.count) : nil
  }

  private static func halves(_ text: Substring, at sign: Character) -> (Substring, Substring?) {
    guard let place = text.firstIndex(of: sign) else { return (text, nil) }
    return (text[..<place], text[text.index(after: place)...])
  }

  private static func decoded(_ text: Substring) throws(Problem) -> String {
    var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self).lowercased()
      guard digits.utf8.count == 2, let sign = Hexadecimal.bytes(digits)?.first, sign != 0 else { throw .encoding }
      bytes.append(sign)
      rest = rest.dropFirst(2)
    }
    guard let decoded = String(validating: bytes, as: UTF8.self) else { throw .encoding }
    return decoded
  }
}
