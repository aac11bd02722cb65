import Encodings

/// Where a URL leads: two URLs with the same one are answered by the same server.
struct URLOrigin: Sendable, Equatable {
  let isSecure: Bool
  let host: HostAddress
  let port: UInt16

  /// Ports belong to a machine, so that all its own addresses are the same host here.
  static func == (one: Self, other: Self) -> Bool {
    one.isSecure == other.isSecure && one.port == other.port
      && (one.host == other.host || one.host.isThisMachine && other.host.isThisMachine)
  }
}
