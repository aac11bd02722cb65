import Glibc

/// A host as it stands in a URL, compared by what it is: an address by its bytes, a name regardless of capitals and of
/// the dot that may end it.
enum ServerAddress: Sendable, Equatable {
  /// Four bytes, or sixteen; an IPv4 address that is written as an IPv6 one (`::ffff:127.0.0.1`) has four.
  case address([UInt8])
  case name(String)

  /// - Parameter text: an IPv6 address stands in brackets.
  init(_ text: some StringProtocol) {
    let text = text.lowercased()
    if text.hasPrefix("["), text.hasSuffix("]"), let bytes = Self.six(String(text.dropFirst().dropLast())) {
      self = .address(Self.unmapped(bytes))
    } else if let bytes = Self.four(text) {
      self = .address(bytes)
    } else {
      self = .name(text.hasSuffix(".") ? String(text.dropLast()) : text)
    }
  }

  /// Whether it stands for the machine that connects to it: `localhost`, 127.0.0.0/8 and ::1; also 0.0.0.0 and ::, on
  /// which servers listen, and where a client reaches its own machine.
  var isThisMachine: Bool { self == .name("localhost") || isLoopbackAddress || isUnspecified }

  /// How a loopback host is written so that the network library knows it for one; nil for any other host, and for one
  /// that needs no other spelling.
  var spellingOfThisMachine: String? {
    switch self {
    case .name("localhost"): "localhost"
    case .address(let bytes) where isUnspecified: bytes.count == 4 ? "127.0.0.1" : "[::1]"
    case .address(let bytes) where isLoopbackAddress:
      bytes.count == 4 ? bytes.map(String.init).joined(separator: ".") : "[::1]"
    default: nil
    }
  }

  private var isLoopbackAddress: Bool {
    guard case .address(let bytes) = self else { return false }
    if bytes.count == 4 { return bytes.first == 127 }
    return bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
  }

  private var isUnspecified: Bool {
    guard case .address(let bytes) = self else { return false }
    return bytes.allSatisfy { $0 == 0 }
  }

  private static func four(_ text: String) -> [UInt8]? {
    var address = in_addr()
    return inet_pton(AF_INET, text, &address) == 1 ? withUnsafeBytes(of: address) { Array($0) } : nil
  }

  private static func six(_ text: String) -> [UInt8]? {
    var address = in6_addr()
    return inet_pton(AF_INET6, text, &address) == 1 ? withUnsafeBytes(of: address) { Array($0) } : nil
  }

  /// The IPv4 address within an IPv6 one that only maps it (RFC 4291, 2.5.5.2).
  private static func unmapped(_ bytes: [UInt8]) -> [UInt8] {
    let isMapped = bytes.count == 16 && bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xff && bytes[11] == 0xff
    return isMapped ? Array(bytes.suffix(4)) : bytes
  }
}
