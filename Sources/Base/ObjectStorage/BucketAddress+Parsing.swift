import Encodings

extension BucketAddress {
  /// Why a text is no address of a bucket.
  public struct Fault: Error, Sendable, Equatable {
    /// Phrased to follow the name of the setting: "must begin with s3://." Contains nothing of the text, which may hold a
    /// secret.
    public let problem: String

    init(_ problem: String) { self.problem = problem }
  }

  private enum Parameter: String, CaseIterable {
    case endpoint, region, addressing, insecure
  }

  public init(_ text: String) throws(Fault) {
    guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      throw Fault("must consist of printable ASCII characters; others are written as %XX.")
    }
    guard text.hasPrefix("s3://") else { throw Fault("must begin with s3://, followed by the name of a bucket.") }
    let rest = text.dropFirst(5)
    guard !rest.contains("#") else { throw Fault("must have no fragment; a # in a prefix is written as %23.") }
    let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let place = parts[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    try Self.refuseSecrets(in: parts[0])
    let parameters = try Self.parameters(parts.count > 1 ? parts[1] : "")
    let endpoint = parameters[.endpoint]
    region = try Self.region(parameters[.region], isAmazons: endpoint == nil)
    bucket = String(place[0])
    prefix = try Self.prefix(place.count > 1 ? place[1] : "")
    addressing = try Self.addressing(parameters[.addressing], ofCustomEndpoint: endpoint != nil, bucket: bucket)
    let mayBePlain = try Self.flag(parameters[.insecure])
    self.endpoint = try endpoint.map { text throws(Fault) in try Endpoint(text, mayBePlain: mayBePlain) }
      ?? Endpoint(ofAmazonIn: region)
    try Self.check(bucket: bucket, addressing)
    guard addressing == .path || !self.endpoint.isAddress else {
      throw Fault("must have addressing=path where the endpoint is an address.")
    }
  }

  // MARK: Parts

  /// A user or a password would end up in logs and in the list of processes.
  private static func refuseSecrets(in text: Substring) throws(Fault) {
    if text.contains("@") {
      throw Fault("must contain no user and no password: the key is set apart from the address.")
    }
  }

  private static func parameters(_ query: Substring) throws(Fault) -> [Parameter: String] {
    var found: [Parameter: String] = [:]
    for item in query.split(separator: "&") {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      // The name may be a secret that was put there, so it is not repeated.
      guard let name = Parameter(rawValue: String(parts[0])), parts.count == 2, !parts[1].isEmpty else {
        let names = Parameter.allCases.map(\.rawValue).joined(separator: ", ")
        throw Fault("has a parameter that is unknown or empty; those that there are: \(names).")
      }
      guard found[name] == nil else { throw Fault("has the parameter \(name.rawValue) twice.") }
      guard let value = String(validating: PercentEncoding.decoded(Array(parts[1].utf8)[...]), as: UTF8.self) else {
        throw Fault("has a parameter \(name.rawValue) that is not UTF-8.")
      }
      found[name] = value
    }
    return found
  }

  private static func region(_ text: String?, isAmazons: Bool) throws(Fault) -> String {
    guard let text else {
      // What servers other than Amazon's are called in unless somebody has named them.
      if !isAmazons { return "us-east-1" }
      throw Fault("must name the region of the bucket: region=eu-central-1, for example.")
    }
    guard text.utf8.count <= 64, text.utf8.allSatisfy({ isLabel($0) || $0 == UInt8(ascii: "_") }) else {
      throw Fault("has a region with characters other than letters, digits, hyphens and underscores.")
    }
    return text
  }

  private static func prefix(_ text: Substring) throws(Fault) -> String {
    let bytes = PercentEncoding.decoded(Array(text.utf8)[...])
    guard var prefix = String(validating: bytes, as: UTF8.self), bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw Fault("has a prefix that is not UTF-8 or has control characters.")
    }
    if prefix.isEmpty { return "" }
    if !prefix.hasSuffix("/") { prefix += "/" }
    let segments = prefix.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    guard segments.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
      throw Fault("has a prefix with an empty part, or one of dots, which servers understand differently.")
    }
    guard prefix.utf8.count <= 512 else { throw Fault("has a prefix that is longer than 512 bytes.") }
    return prefix
  }

  private static func addressing(
    _ text: String?, ofCustomEndpoint isCustom: Bool, bucket: String
  ) throws(Fault) -> Addressing {
    guard let text else {
      // No certificate is for a name with further dots in its place for a bucket.
      return isCustom || bucket.contains(".") ? .path : .virtual
    }
    guard let addressing = Addressing(rawValue: text) else {
      throw Fault("must have an addressing of \(Addressing.allCases.map(\.rawValue).joined(separator: " or ")).")
    }
    return addressing
  }

  private static func flag(_ text: String?) throws(Fault) -> Bool {
    switch text {
    case nil, "false": return false
    case "true": return true
    default: throw Fault("must have true or false for insecure.")
    }
  }

  private static func check(bucket: String, _ addressing: Addressing) throws(Fault) {
    let isName = (3...63).contains(bucket.utf8.count) && bucket.utf8.allSatisfy {
      isLabel($0) || $0 == UInt8(ascii: ".") || (addressing == .path && $0 == UInt8(ascii: "_"))
    }
    guard isName, let first = bucket.utf8.first, let last = bucket.utf8.last, isAlphanumeric(first), isAlphanumeric(last),
      !bucket.contains("..")
    else {
      throw Fault("must name a bucket: 3 to 63 letters, digits, hyphens and dots.")
    }
    guard addressing == .path || bucket == bucket.lowercased() else {
      throw Fault("must name a bucket in lowercase, or have addressing=path.")
    }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool { isLabel(byte) && byte != UInt8(ascii: "-") }

  /// Whether the byte may stand in a part of a host name.
  fileprivate static func isLabel(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

extension BucketAddress.Endpoint {
  init(ofAmazonIn region: String) {
    let domain = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
    self.init(isPlain: false, host: "s3.\(region.lowercased()).\(domain)", port: nil, path: "")
  }

  /// - Parameters:
  ///   - text: a URL; without a scheme it is https.
  ///   - mayBePlain: whether http may go to another machine.
  init(_ text: String, mayBePlain: Bool) throws(BucketAddress.Fault) {
    let (isPlain, rest) = try Self.scheme(text)
    guard !rest.contains("@") else {
      throw BucketAddress.Fault("must contain no user and no password: the key is set apart from the address.")
    }
    guard !rest.contains("?"), !rest.contains("#"), !rest.contains("\\"), !rest.contains("%") else {
      throw BucketAddress.Fault("must have an endpoint of a host, a port and a path only.")
    }
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    let (host, port) = try Self.hostAndPort(rest[..<end])
    self.init(
      isPlain: isPlain, host: host, port: port == (isPlain ? 80 : 443) ? nil : port, path: try Self.path(rest[end...]))
    guard !isPlain || isLoopback || mayBePlain else {
      throw BucketAddress.Fault(
        "must have an endpoint with https, or insecure=true: over http, others on the way can read what is stored.")
    }
  }

  private static func scheme(_ text: String) throws(BucketAddress.Fault) -> (isPlain: Bool, rest: Substring) {
    if text.hasPrefix("https://") { return (false, text.dropFirst(8)) }
    if text.hasPrefix("http://") { return (true, text.dropFirst(7)) }
    if text.contains("://") { throw BucketAddress.Fault("must have an endpoint with https.") }
    return (false, text[...])
  }

  private static func hostAndPort(_ text: Substring) throws(BucketAddress.Fault) -> (host: String, port: UInt16?) {
    let isBracketed = text.hasPrefix("[")
    let end = isBracketed ? text.firstIndex(of: "]").map(text.index(after:)) : text.firstIndex(of: ":")
    guard let end = end ?? (isBracketed ? nil : text.endIndex), isHost(text[..<end]) else {
      throw BucketAddress.Fault("must have an endpoint with a host: a name or an address; one of IPv6 in brackets.")
    }
    let rest = text[end...]
    if rest.isEmpty { return (text[..<end].lowercased(), nil) }
    guard rest.hasPrefix(":"), rest.dropFirst().utf8.allSatisfy(ASCII.isDigit), let port = UInt16(rest.dropFirst()), port > 0
    else {
      throw BucketAddress.Fault("must have an endpoint with a port from 1 to 65535.")
    }
    return (text[..<end].lowercased(), port)
  }

  private static func isHost(_ text: Substring) -> Bool {
    if text.hasPrefix("[") {
      return HostAddress(text).isAddress
    }
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    return text.utf8.count <= 253 && labels.allSatisfy { label in
      (1...63).contains(label.utf8.count)
        && label.utf8.allSatisfy { BucketAddress.isLabel($0) || $0 == UInt8(ascii: "_") }
    }
  }

  private static func path(_ text: Substring) throws(BucketAddress.Fault) -> String {
    let segments = text.split(separator: "/")
    guard segments.allSatisfy({ $0 != "." && $0 != ".." }), !text.contains("//") else {
      throw BucketAddress.Fault("must have an endpoint whose path has no empty parts and none of dots.")
    }
    return segments.map { "/\($0)" }.joined()
  }

  /// Whether it is this machine, as the network library knows it.
  var isLoopback: Bool { HostAddress(host).isLoopback }

  /// Whether the host is an address, which no name can be put in front of.
  var isAddress: Bool { HostAddress(host).isAddress }
}
