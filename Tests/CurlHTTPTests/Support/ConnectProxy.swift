import Glibc

extension RawServer {
  /// A proxy that carries every tunnel to a port of this machine, whatever host is asked for.
  /// - Parameter asked: told every tunnel's request.
  static func proxy(to port: UInt16, asked: Reports<RawRequest>) throws -> RawServer {
    try RawServer { connection in
      guard let request = connection.readHead() else { return }
      asked.add(request)
      guard request.line.hasPrefix("CONNECT "), let target = RawConnection(connectingTo: port) else { return }
      connection.write("HTTP/1.1 200 Connection established\r\nX-Proxy: yes\r\n\r\n")
      target.write(request.body)
      startThread {
        while let bytes = connection.readSome(), target.write(bytes) {}
        target.hangUp()
      }
      while let bytes = target.readSome(), connection.write(bytes) {}
      connection.hangUp()
    }
  }
}

extension RawConnection {
  /// A connection to a port of this machine.
  convenience init?(connectingTo port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else {
      Glibc.close(descriptor)
      return nil
    }
    self.init(descriptor, number: 0)
  }
}
