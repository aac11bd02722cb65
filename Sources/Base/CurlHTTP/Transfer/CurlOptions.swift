import CCurl
import Glibc
import POSIX

/// Sets the options of a handle, and records the first failure.
final class CurlOptions {
  private let easy: UnsafeMutableRawPointer
  private(set) var failure = CURLE_OK

  init(_ easy: UnsafeMutableRawPointer) {
    self.easy = easy
  }

  /// Sets the options that are the same for every transfer.
  func setFixed() {
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    // A redirect is returned like any other response: the headers are sent only to the caller's URL.
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
    set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate")
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    set(CURLOPT_NOPROGRESS, 0)
    set(CURLOPT_TCP_NODELAY, 1)
    // A provider may work for a minute: the connection must not be dropped as idle on the way, nor kept when dead.
    set(CURLOPT_TCP_KEEPALIVE, 1)
    set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    // Without it, cancelling a transfer waits for the resolver's answer. libcurl before 7.87 does not support it.
    ccurl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
  }

  func setTarget(_ target: RequestTarget) {
    set(CURLOPT_URL, target.url)
    set(CURLOPT_HTTP_VERSION, target.isPlain ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS)
    // Waits for a connection that is being established, since it may be able to multiplex. Not with plain HTTP, where
    // only the first response would show that it cannot.
    set(CURLOPT_PIPEWAIT, target.isPlain ? 0 : 1)
    // An image of some hundred kilobytes then arrives in few pieces. TLS returns at most 16 KB at a time anyway.
    if target.isPlain { set(CURLOPT_BUFFERSIZE, 262_144) }
  }

  func setCertificates(_ settings: CurlSettings) {
    if let file = settings.certificateFile { set(CURLOPT_CAINFO, file) }
    if let directory = settings.certificateDirectory { set(CURLOPT_CAPATH, directory) }
  }

  func setProxy(_ proxy: CurlSettings.Proxy) {
    switch proxy {
    case .environment: break
    case .none: set(CURLOPT_PROXY, "")
    case .fixed(let proxy):
      set(CURLOPT_PROXY, proxy)
      set(CURLOPT_NOPROXY, "")
    }
  }

  func setRequest(_ request: HTTPRequest) {
    if request.method == .head {
      // Without it, libcurl would wait for a body of the announced length.
      set(CURLOPT_NOBODY, 1)
    } else if let count = request.body?.count ?? (request.method.announcesBody ? 0 : nil) {
      set(CURLOPT_POST, 1)
      if ccurl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(count)) != CURLE_OK { note(CURLE_FAILED_INIT) }
      set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    } else if request.method != .get {
      set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    }
    // The loop has its own timers; this only tells libcurl how to divide the time among the addresses of a name.
    set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(Int32(clamping: request.limits.connect.wholeMilliseconds))))
  }

  func set(_ option: CURLoption, _ value: Int) { note(ccurl_set_long(easy, option, value)) }
  func set(_ option: CURLoption, _ value: String?) { note(ccurl_set_text(easy, option, value)) }
  func setList(_ option: CURLoption, _ list: UnsafeMutablePointer<curl_slist>?) {
    note(ccurl_set_list(easy, option, list))
  }

  func note(_ code: CURLcode) {
    if failure == CURLE_OK { failure = code }
  }
}

extension HTTPRequest.Method {
  /// Whether a request without a body says that its body is empty.
  fileprivate var announcesBody: Bool { self == .post || self == .put }
}

extension CurlOptions {
  /// Makes libcurl report to the transfer, which must be retained until its handle has left the multi handle.
  func setCallbacks(of transfer: Transfer) {
    var callbacks = ccurl_callbacks(
      header: Self.header, write: Self.write, read: Self.read, progress: Self.progress, connected: Self.connected,
      open_socket: Self.openSocket, close_socket: Self.closeSocket)
    note(ccurl_set_callbacks(transfer.easy, &callbacks, Unmanaged.passUnretained(transfer).toOpaque()))
  }

  /// libcurl calls back only while the loop calls it, on the loop's thread, and only for transfers that the loop
  /// retains: so the transfer is alive, and no other thread uses it.
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
    // Closed on exec: a program started meanwhile must not keep a connection open that is closed here.
    let type = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(address.pointee.family, type, address.pointee.protocol)
    guard descriptor >= 0 else {
      if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { transfer.noSocket() }
      return CURL_SOCKET_BAD
    }
    // With few unsent bytes in the kernel, the reported progress is what was sent, and a stall is seen in time.
    var unsent: Int32 = 131_072
    let length = socklen_t(MemoryLayout.size(ofValue: unsent))
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &unsent, length)
    return descriptor
  }

  private static let closeSocket: curl_closesocket_callback = { _, descriptor in
    // Unsent bytes of a cancelled transfer must not be sent afterwards, as a plain close would do.
    var unsent: Int32 = 0
    if ioctl(descriptor, UInt(SIOCOUTQNSD), &unsent) == 0, unsent > 0 {
      var lingering = linger(l_onoff: 1, l_linger: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
    }
    return close(descriptor)
  }
}
