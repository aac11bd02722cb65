import Encodings

/// The base URL of a cloud API: `https` anywhere, or plain `http` on this machine, so that no key and no photo crosses
/// a network unencrypted.
///
/// The libcurl client checks each URL again; this check informs the operator early.
public struct BaseURL: Sendable, Equatable {
  /// Without a trailing slash. A host that is this machine is spelled as the network library knows it.
  public let text: String
  /// What servers are compared by, never by how their addresses are spelled.
  let origin: URLOrigin
  /// Scheme, host and port, as ``text`` begins.
  let root: String
  /// The length of the same in the text as it was given.
  let rootLength: Int

  /// What a base URL must be, phrased to follow "must be".
  public static let expectation =
    "an https address without user name, query or fragment, or http to this machine, such as https://example.com"

  /// - Returns: nil unless `text` meets ``expectation``.
  public init?(_ text: String) { self.init(text, mostBytes: 2048) }

  init?(_ text: String, mostBytes: Int) {
    let bytes = text.utf8
    guard bytes.count <= mostBytes, bytes.allSatisfy({ (0x21...0x7e).contains($0) && !Self.forbidden.contains($0) }),
      let end = text.firstRange(of: "://")
    else { return nil }
    let scheme = text[..<end.lowerBound].lowercased()
    let rest = text[end.upperBound...]
    let authority = rest.prefix { $0 != "/" }
    guard let (hostText, port) = Self.parts(of: authority) else { return nil }
    let host = HostAddress(hostText)
    guard scheme == "https" || scheme == "http" && host.isThisMachine else { return nil }
    var path = rest.dropFirst(authority.count)
    while path.hasSuffix("/") { path = path.dropLast() }
    rootLength = text.distance(from: text.startIndex, to: authority.endIndex)
    let spelling = host.spellingOfThisMachine ?? hostText.lowercased()
    root = "\(scheme)://\(spelling)\(port.map { ":\($0)" } ?? "")"
    origin = URLOrigin(isSecure: scheme == "https", host: host, port: port ?? (scheme == "https" ? 443 : 80))
    self.text = root + path
  }

  /// For the URL constants in this module, which have neither a port nor a path.
  init(known host: StaticString) {
    root = "https://\(host)"
    rootLength = root.count
    origin = URLOrigin(isSecure: true, host: HostAddress("\(host)"), port: 443)
    text = root
  }

  /// Whether it is served by the machine that asks.
  public var isOnThisMachine: Bool { origin.host.isThisMachine }

  /// The URL of a path below this one.
  /// - Parameter path: without a leading slash.
  public func appending(_ path: String) -> String { "\(text)/\(path)" }

  /// Characters that begin a query, a fragment or a user name, or are invalid in a URL.
  private static let forbidden = Set("?#@\"<>\\^`{|}".utf8)

  /// The host, and the port if there is one.
  /// - Returns: nil when there is no host, or the port is not a number.
  private static func parts(of authority: Substring) -> (host: Substring, port: UInt16?)? {
    let end = authority.hasPrefix("[") ? authority.firstIndex(of: "]").map(authority.index(after:)) : nil
    let host = end.map { authority[..<$0] } ?? authority.prefix { $0 != ":" }
    let rest = authority[host.endIndex...]
    guard !host.isEmpty, host.hasPrefix("[") == host.hasSuffix("]") else { return nil }
    if rest.isEmpty { return (host, nil) }
    guard rest.hasPrefix(":"), let port = UInt16(rest.dropFirst()), port > 0 else { return nil }
    return (host, port)
  }
}
