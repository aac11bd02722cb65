import Glibc

/// A host as it stands in a URL or as the system tells it, compared by what it is: an address by its bytes, a name
/// regardless of capitals and of the dot that may end it.
///
/// Every question whether a host is this machine is asked here: whether plain text may go there, whether a certificate is
/// needed, whether a proxy is believed.
public enum HostAddress: Sendable, Hashable {
  /// Four bytes, or sixteen; an IPv4 address that is written as an IPv6 one (`::ffff:127.0.0.1`) has four.
  case address([UInt8])
  /// Also what only some programs read as an address, such as `127.1`, `0x7f.1` and `2130706433`: it is taken for no
  /// address of this machine, whatever they make of it.
  case name(String)

  /// - Parameter text: an IPv6 address, with or without brackets, may have a zone; IPv4 has four decimal numbers.
  public init(_ text: some StringProtocol) {
    let text = text.lowercased()
    let isBracketed = text.hasPrefix("[") && text.hasSuffix("]") && text.count > 2
    let bare = isBracketed ? String(text.dropFirst().dropLast()) : text
    if bare.contains(":"), let bytes = Self.six(bare) {
      self = .address(bytes)
    } else if !isBracketed, let bytes = Self.four(text) {
      self = .address(bytes)
    } else {
      self = .name(text.hasSuffix(".") ? String(text.dropLast()) : text)
    }
  }

  /// - Parameter bytes: four or sixteen, as the network sends them.
  public init(bytes: [UInt8]) { self = .address(Self.unmapped(bytes)) }

  /// Whether nobody else can be there: `localhost`, 127.0.0.0/8 and ::1.
  public var isLoopback: Bool {
    switch self {
    case .name(let name): name == "localhost"
    case .address(let bytes) where bytes.count == 4: bytes.first == 127
    case .address(let bytes): bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
    }
  }

  /// Whether it stands for the machine that connects to it: also 0.0.0.0 and ::, on which servers listen, and where a
  /// client reaches its own machine.
  public var isThisMachine: Bool { isLoopback || isUnspecified }

  /// Whether it is an address, in front of which no name can be put.
  public var isAddress: Bool { bytes != nil }

  /// Those of an address; nil for a name.
  public var bytes: [UInt8]? {
    guard case .address(let bytes) = self else { return nil }
    return bytes
  }

  /// How this machine is written so that the network library knows it; nil for any other host.
  public var spellingOfThisMachine: String? {
    switch self {
    case .name where isLoopback: "localhost"
    case .address(let bytes) where isUnspecified: bytes.count == 4 ? "127.0.0.1" : "[::1]"
    case .address(let bytes) where isLoopback:
      bytes.count == 4 ? bytes.map(String.init).joined(separator: ".") : "[::1]"
    default: nil
    }
  }

  private var isUnspecified: Bool { bytes?.allSatisfy { $0 == 0 } ?? false }

  private static func four(_ text: String) -> [UInt8]? {
    var address = in_addr()
    return inet_pton(AF_INET, text, &address) == 1 ? withUnsafeBytes(of: address) { Array($0) } : nil
  }

  /// - Parameter text: perhaps with a zone, which says the way to an address of a link, and nothing of any other.
  private static func six(_ text: String) -> [UInt8]? {
    let (plain, zone) = text.firstIndex(of: "%").map { (text[..<$0], text[$0...]) } ?? (text[...], "")
    var address = in6_addr()
    guard inet_pton(AF_INET6, String(plain), &address) == 1, zone != "%" else { return nil }
    let bytes = withUnsafeBytes(of: address) { Array($0) }
    let isOfLink = bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80
    return isOfLink && !zone.isEmpty ? nil : unmapped(bytes)
  }

  /// The IPv4 address within an IPv6 one that only maps it (RFC 4291, 2.5.5.2).
  private static func unmapped(_ bytes: [UInt8]) -> [UInt8] {
    let isMapped = bytes.count == 16 && bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xff && bytes[11] == 0xff
    return isMapped ? Array(bytes.suffix(4)) : bytes
  }
}
