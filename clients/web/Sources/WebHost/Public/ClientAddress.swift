import Encodings
import HTTPTypes
import Hummingbird
import NIOCore

/// Where a request of the public way comes from.
struct ClientAddress: Sendable, Equatable {
  /// The address that limits count.
  var network: Network
  /// Whether it came over TLS, as far as the proxy says.
  var isSecure: Bool

  /// What counts as one address.
  struct Network: Sendable, Hashable {
    /// An IPv4 address, or the first 64 bits of one of IPv6, because one household has them all.
    var household: String
    /// Of IPv6 the first 48 bits, because a customer of a provider may have as many households; of IPv4 the same address.
    var site: String

    /// Nobody's, in the personal way.
    static let nowhere = Network(household: "", site: "")
  }

  /// - Parameters:
  ///   - peer: who has connected.
  ///   - trusted: the proxies, whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed.
  init(_ request: Request, peer: SocketAddress?, trusted: Set<HostAddress>) {
    let peer = Self.address(of: peer?.ipAddress ?? "")
    guard trusted.contains(peer) else {
      network = Network(peer)
      isSecure = false
      return
    }
    // From the right: what stands left of the first untrusted address, anybody could have written.
    let hops = request.headers[values: .forwardedFor].flatMap { $0.split(separator: ",") }
      .map { Self.address(of: $0.filter { !$0.isWhitespace }) }
    network = Network(hops.last { !trusted.contains($0) } ?? peer)
    isSecure = request.headers[.forwardedProto] == "https"
  }

  /// The address in a text that may have a port and a zone as well.
  static func address(of text: String) -> HostAddress {
    var text = text[...]
    if text.first == "[" {
      text = text.dropFirst().prefix { $0 != "]" }
    } else if text.count(where: { $0 == ":" }) == 1 {
      text = text.prefix { $0 != ":" }
    }
    return HostAddress(text.prefix { $0 != "%" })
  }
}

extension ClientAddress.Network {
  init(_ address: HostAddress) {
    switch address.bytes {
    // What is no address is one network, however it is written.
    case nil: self.init(household: "unknown", site: "unknown")
    case let four? where four.count == 4:
      let text = four.map(String.init).joined(separator: ".")
      self.init(household: text, site: text)
    case let six?: self.init(household: Self.prefix(8, of: six), site: Self.prefix(6, of: six))
    }
  }

  private static func prefix(_ count: Int, of bytes: [UInt8]) -> String {
    bytes.prefix(count).map { String($0, radix: 16) }.joined(separator: ".") + "/\(count * 8)"
  }
}

extension HTTPField.Name {
  static let forwardedFor = HTTPField.Name("X-Forwarded-For") ?? .eTag
  static let forwardedProto = HTTPField.Name("X-Forwarded-Proto") ?? .eTag
}
