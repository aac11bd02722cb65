/// The base URL of a cloud API: `https` anywhere, or plain `http` on this machine, so that no key and no photo crosses
/// a network unencrypted.
///
/// The libcurl client checks each URL again; this check informs the operator early.
public struct BaseURL: Sendable, Equatable {
  /// Without a trailing slash.
  public let text: String

  /// What a base URL must be, phrased to follow "must be".
  public static let expectation =
    "an https address without user name, query or fragment, or http to this machine, such as https://example.com"

  /// - Returns: nil unless `text` meets ``expectation``.
  public init?(_ text: String) {
    let bytes = text.utf8
    guard bytes.count <= 2048, bytes.allSatisfy({ (0x21...0x7e).contains($0) && !Self.forbidden.contains($0) }),
      let end = text.firstRange(of: "://")
    else { return nil }
    let scheme = text[..<end.lowerBound].lowercased()
    let rest = text[end.upperBound...]
    let authority = rest.prefix { $0 != "/" }
    guard let host = Self.host(of: authority), scheme == "https" || scheme == "http" && Self.isLoopback(host) else {
      return nil
    }
    var path = rest.dropFirst(authority.count)
    while path.hasSuffix("/") { path = path.dropLast() }
    self.text = "\(scheme)://\(authority.lowercased())\(path)"
  }

  /// For the URL constants in this module.
  init(known text: String) { self.text = text }

  /// The URL of a path below this one.
  /// - Parameter path: without a leading slash.
  public func appending(_ path: String) -> String { "\(text)/\(path)" }

  /// Characters that begin a query, a fragment or a user name, or are invalid in a URL.
  private static let forbidden = Set("?#@\"<>\\^`{|}".utf8)

  /// - Returns: nil when there is no host, or the port is not a number.
  private static func host(of authority: Substring) -> Substring? {
    let end = authority.hasPrefix("[") ? authority.firstIndex(of: "]").map(authority.index(after:)) : nil
    let host = end.map { authority[..<$0] } ?? authority.prefix { $0 != ":" }
    let rest = authority[host.endIndex...]
    guard !host.isEmpty, host.hasPrefix("[") == host.hasSuffix("]") else { return nil }
    if rest.isEmpty { return host }
    guard rest.hasPrefix(":"), let port = UInt16(rest.dropFirst()), port > 0 else { return nil }
    return host
  }

  private static func isLoopback(_ host: Substring) -> Bool {
    if host.lowercased() == "localhost" || host == "[::1]" { return true }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
  }
}
