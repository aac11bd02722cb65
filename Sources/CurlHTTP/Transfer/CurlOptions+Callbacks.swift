import CCurl
import Glibc

extension CurlOptions {
  /// Lets libcurl report to the transfer, which must be kept until its handle has left the multi handle.
  func setCallbacks(of transfer: Transfer) {
    var callbacks = ccurl_callbacks(
      header: Self.header, write: Self.write, read: Self.read, progress: Self.progress, connected: Self.connected,
      open_socket: Self.openSocket, close_socket: Self.closeSocket)
    note(ccurl_set_callbacks(transfer.easy, &callbacks, Unmanaged.passUnretained(transfer).toOpaque()))
  }

  /// libcurl calls back only while the loop calls it, on the loop's thread, and for transfers the loop keeps: so the
  /// transfer is there, and nobody else uses it.
  private static func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func bytes(_ start: UnsafeMutablePointer<CChar>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: UnsafeRawPointer(start)?.assumingMemoryBound(to: UInt8.self), count: count)
  }

  private static let header: curl_write_callback = { start, size, count, context in
    transfer(context)?.receivedHeader(bytes(start, size * count)) == true ? size * count : 0
  }

  private static let write: curl_write_callback = { start, size, count, context in
    transfer(context)?.received(bytes(start, size * count)) == true ? size * count : 0
  }

  private static let read: curl_read_callback = { start, size, count, context in
    let buffer = UnsafeMutableRawBufferPointer(start: start, count: size * count)
    return transfer(context)?.read(into: buffer) ?? Int(CURL_READFUNC_ABORT)
  }

  private static let progress: curl_xferinfo_callback = { context, _, received, _, sent in
    transfer(context)?.progressed(sent: Int(sent), received: Int(received))
    return 0
  }

  private static let connected: curl_prereq_callback = { context, _, _, _, localPort in
    transfer(context)?.connected(localPort: localPort) == false ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK
  }

  private static let openSocket: curl_opensocket_callback = { context, _, address in
    guard let address, let transfer = transfer(context),
      transfer.allows(withUnsafePointer(to: &address.pointee.addr) { SocketAddress($0) })
    else { return CURL_SOCKET_BAD }
    // Closed on exec: a program started meanwhile must not hold a connection open that is closed here.
    let type = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(address.pointee.family, type, address.pointee.protocol)
    guard descriptor >= 0 else {
      if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { transfer.noSocket() }
      return CURL_SOCKET_BAD
    }
    // With little waiting unsent in the kernel, the progress told is what has left, and a stall is seen in time.
    var unsent: Int32 = 131_072
    let length = socklen_t(MemoryLayout.size(ofValue: unsent))
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &unsent, length)
    return descriptor
  }

  private static let closeSocket: curl_closesocket_callback = { _, descriptor in
    // What has not left when a transfer is broken off must not leave afterwards, as it would with a plain close.
    var unsent: Int32 = 0
    if ioctl(descriptor, UInt(SIOCOUTQNSD), &unsent) == 0, unsent > 0 {
      var lingering = linger(l_onoff: 1, l_linger: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
    }
    return close(descriptor)
  }
}
