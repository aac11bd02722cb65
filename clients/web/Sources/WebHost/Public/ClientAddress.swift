import HTTPTypes
import Hummingbird
import NIOCore

/// Where a request of the public way comes from.
struct ClientAddress: Sendable, Equatable {
  /// The address that limits count: of IPv6 the first 64 bits, because one household has them all.
  var network: String
  /// Whether it came over TLS, as far as the proxy says.
  var isSecure: Bool

  /// - Parameters:
  ///   - peer: who has connected.
  ///   - trusted: the proxies, whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed.
  init(_ request: Request, peer: SocketAddress?, trusted: Set<String>) {
    let peerAddress = peer?.ipAddress.map(Self.plain) ?? ""
    guard trusted.contains(peerAddress) else {
      network = Self.network(of: peerAddress)
      isSecure = false
      return
    }
    // From the right: what stands left of the first untrusted address, anybody could have written.
    let hops = request.headers[values: .forwardedFor].flatMap { $0.split(separator: ",") }
      .map { Self.plain($0.filter { !$0.isWhitespace }) }
    network = Self.network(of: hops.last { !trusted.contains($0) } ?? peerAddress)
    isSecure = request.headers[.forwardedProto] == "https"
  }

  /// Without brackets, port and zone, and an IPv4 address in its own form.
  static func plain(_ address: String) -> String {
    var address = address.lowercased()[...]
    if address.first == "[" {
      address = address.dropFirst().prefix { $0 != "]" }
    } else if address.count(where: { $0 == ":" }) == 1 {
      address = address.prefix { $0 != ":" }
    }
    address = address.prefix { $0 != "%" }
    return address.hasPrefix("::ffff:") && address.contains(".") ? String(address.dropFirst(7)) : String(address)
  }

  private static func network(of address: String) -> String {
    // What is no address is one network, however it is written.
    guard let parsed = try? SocketAddress(ipAddress: address, port: 0) else { return "unknown" }
    guard case .v6(let six) = parsed else { return address }
    var bytes = six.address.sin6_addr
    return withUnsafeBytes(of: &bytes) { $0.prefix(8).map { String($0, radix: 16) }.joined(separator: ".") + "/64" }
  }
}

extension HTTPField.Name {
  static let forwardedFor = HTTPField.Name("X-Forwarded-For") ?? .eTag
  static let forwardedProto = HTTPField.Name("X-Forwarded-Proto") ?? .eTag
}
