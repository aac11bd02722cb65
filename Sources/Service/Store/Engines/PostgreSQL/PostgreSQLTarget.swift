import Glibc

/// One address that a server may answer at: a name can have several, and a failover has several names.
struct PostgreSQLTarget: Sendable, Equatable {
  var host: PostgreSQLAddress.Host
  /// The number of the address; nil for the folder of a socket, and where libpq shall find out.
  var number: String?

  /// As libpq's keywords.
  var settings: [(key: String, value: String)] {
    [("host", host.name), ("port", "\(host.port)")] + (number.map { [("hostaddr", $0)] } ?? [])
  }

  /// Each in the order in which they are tried. One that does not answer must not keep the next from being tried.
  static func all(of address: PostgreSQLAddress) -> [PostgreSQLTarget] {
    address.hosts.flatMap { host in
      let numbers = host.name.hasPrefix("/") ? [] : numbers(of: host.name)
      // A name without an address is told of by libpq.
      return numbers.isEmpty
        ? [PostgreSQLTarget(host: host)] : numbers.map { PostgreSQLTarget(host: host, number: $0) }
    }
  }

  private static func numbers(of name: String) -> [String] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(name, nil, &hints, &list) == 0 else { return [] }
    defer { freeaddrinfo(list) }
    var (numbers, next) = ([String](), list)
    while let entry = next {
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      if getnameinfo(
        entry.pointee.ai_addr, entry.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
      {
        let number = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if !numbers.contains(number) { numbers.append(number) }
      }
      next = entry.pointee.ai_next
    }
    return numbers
  }
}
