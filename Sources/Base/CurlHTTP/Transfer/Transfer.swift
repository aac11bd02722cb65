import CCurl
import POSIX

/// One transfer: its request and its state. Used on the transfer thread only.
///
/// The loop retains the transfer for as long as libcurl may call it back.
final class Transfer {
  /// The maximum body size of a failure response: a message or an error page.
  private static let mostBytesOfFailure = 1_048_576

  let order: TransferOrder
  let easy: UnsafeMutableRawPointer
  private(set) var clocks: TransferClocks
  /// Set when the caller is about to get its result: no event is reported from then on.
  var isOver = false

  private var target: RequestTarget?
  private var headerList: UnsafeMutablePointer<curl_slist>?
  private var bytesRead = 0
  private var upload: UploadProgress
  private var lastCount: (sent: Int, received: Int) = (0, 0)
  private var head = ResponseHead()
  private var body: [UInt8] = []
  private var bytesReceived = 0
  /// The last bytes of a body that is an event stream; nil for any other body.
  private var lastOfEvents: [UInt8]?
  private var isConnected = false
  private var connectionPort: Int32?
  private var usesProxy = false
  private var refusal: HTTPError.Cause?
  /// The certificate file, as long as it has not been tried.
  private var untriedFile: String?
  private var usesFile = false

  init(_ order: TransferOrder, _ easy: UnsafeMutableRawPointer) {
    self.order = order
    self.easy = easy
    clocks = TransferClocks(order.request.limits, began: order.began)
    upload = UploadProgress(total: order.request.body?.count ?? 0)
  }

  deinit { ccurl_list_free(headerList) }

  /// Whether a byte of the request may have reached the server.
  var mayHaveBeenSent: Bool { isConnected }

  // MARK: Preparing

  /// - Parameter certificates: the system's trusted certificates, if nothing else is set and they can be searched.
  func configure(_ settings: CurlSettings, _ certificates: SystemCertificates?) throws(HTTPError) {
    let target = try RequestTarget(order.request.url, mayBePlain: order.request.mayBePlain)
    self.target = target
    let options = CurlOptions(easy)
    options.setFixed()
    options.setTarget(target)
    options.setProxy(target.isLoopback ? .none : settings.proxy)
    options.setCertificates(settings)
    if let certificates, certificates.isDirectoryEnough {
      options.set(CURLOPT_CAINFO, nil)
      untriedFile = certificates.file
    }
    options.setRequest(order.request)
    options.setCallbacks(of: self)
    try setHeaders(options)
    if options.failure != CURLE_OK { throw TransferEnd(code: options.failure).error }
  }

  private func setHeaders(_ options: CurlOptions) throws(HTTPError) {
    // A name without a value removes a field that libcurl would add itself: it would wait a second for a server that
    // does not support the expectation, and declare every body to be a form.
    var lines = ["Expect:", "Content-Type:"]
    for header in order.request.headers {
      lines.removeAll { $0.dropLast().lowercased() == header.name.lowercased() }
      lines.append(header.line)
    }
    for line in lines {
      guard let list = ccurl_list_append(headerList, line) else { throw .noMemory }
      headerList = list
    }
    options.setList(CURLOPT_HTTPHEADER, headerList)
  }

  // MARK: Ending

  /// Prepares another attempt when the server was not trusted and the certificate file has not been tried. None of the
  /// request has been sent at that point.
  func canTryAgain(_ code: CURLcode) -> Bool {
    guard code == CURLE_PEER_FAILED_VERIFICATION, !isConnected, let untriedFile else { return false }
    self.untriedFile = nil
    usesFile = true
    return ccurl_set_text(easy, CURLOPT_CAINFO, untriedFile) == CURLE_OK
  }

  /// Whether only the second attempt, with the file, found the server to be trusted.
  var isTrustedByFileAlone: Bool { usesFile && isConnected }

  /// The result of a transfer that libcurl has ended.
  func result(_ code: CURLcode) -> Result<HTTPResponse, any Error> {
    // libcurl does not report a connection that ends within the head as a failure.
    guard code == CURLE_OK, head.isComplete else { return .failure(end(code).error) }
    return .success(HTTPResponse(status: head.status, headers: head.headers, body: body))
  }

  func failure(_ clock: HTTPError.Clock) -> HTTPError {
    var end = end(CURLE_OPERATION_TIMEDOUT)
    end.refusal = .timedOut(clock)
    return end.error
  }

  private func end(_ code: CURLcode) -> TransferEnd {
    var proxyStatus = 0
    ccurl_get_long(easy, CURLINFO_HTTP_CONNECTCODE, &proxyStatus)
    return TransferEnd(
      code: code == CURLE_OK ? CURLE_GOT_NOTHING : code, refusal: refusal, isConnected: isConnected,
      hasHead: head.isComplete, usesProxy: usesProxy || proxyStatus != 0,
      // Looking up a name, opening a socket and reading certificates all fail then, each in its own words.
      lacksDescriptors: !isConnected && FileSystem.hasNoFreeDescriptor)
  }

  // MARK: Breaking off

  /// Closes the connection when this transfer leaves it, unless it carries other transfers.
  func forbidReuse() { ccurl_set_long(easy, CURLOPT_FORBID_REUSE, 1) }

  func sharesConnection(with other: Transfer) -> Bool {
    connectionPort != nil && connectionPort == other.connectionPort && !(target?.isPlain ?? true)
  }

  /// Sends the data queued on the connection. libcurl resets the stream of a transfer that leaves, but keeps the reset
  /// queued until something else happens; reopening the window is the only call that sends at once.
  func flushConnection() {
    ccurl_easy_pause(easy, CURLPAUSE_RECV)
    ccurl_easy_pause(easy, CURLPAUSE_CONT)
  }

  private func refuse(_ cause: HTTPError.Cause) {
    refusal = cause
    forbidReuse()
  }

  // MARK: What libcurl reports

  /// Called when the system has no descriptor or no memory for a connection.
  func noSocket() { refusal = .noSocket }

  /// - Returns: whether a connection to that address is allowed.
  func allows(_ address: SocketAddress?) -> Bool {
    guard let target, let address else { return false }
    if target.isPlain, !target.mayBePlain, !address.isLoopback {
      refusal = .badURL
      return false
    }
    usesProxy = address.port != target.port
    return true
  }

  /// Called when the connection is established and the request is about to be sent. Called again when libcurl finds a
  /// kept connection dead before any of the body has been sent.
  /// - Parameter localPort: the connection's local port, which distinguishes it from others.
  /// - Returns: whether the request may be sent.
  func connected(localPort: Int32) -> Bool {
    if isOver || order.isCancelled() { return false }
    isConnected = true
    order.event(.connected)
    connectionPort = localPort
    refusal = nil
    bytesRead = 0
    lastCount = (0, 0)
    noteMovement()
    return true
  }

  /// Restarts the stall clock or, while the server works, stops it.
  private func noteMovement() {
    if isServersTurn { clocks.waitForServer(at: .now) } else { clocks.move(at: .now) }
  }

  /// Whether the server is working and need not send: before the first byte of the response, and between two events.
  private var isServersTurn: Bool {
    if head.isComplete { return lastOfEvents.map(ServerSentEventParser.isBetweenEvents) ?? false }
    return !head.hasBegun && lastCount.sent >= upload.total
  }

  /// Gives libcurl the next bytes of the body.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let body = order.request.body else { return 0 }
    let count = min(buffer.count, body.count - bytesRead)
    body.withUnsafeBytes { all in
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: all[bytesRead..<bytesRead + count]))
    }
    bytesRead += count
    return count
  }

  /// - Parameters: the numbers of body bytes sent and received so far.
  func progressed(sent: Int, received: Int) {
    guard !isOver, (sent, received) != lastCount else { return }
    lastCount = (sent, received)
    noteMovement()
    if !head.isComplete, let event = upload.step(to: sent) { order.event(event) }
  }

  /// - Returns: whether the transfer may continue.
  func receivedHeader(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    if isOver { return false }
    defer { noteMovement() }
    do {
      if try head.take(line) { headCompleted() }
      return refusal == nil
    } catch {
      refuse(.malformed)
      return false
    }
  }

  private func headCompleted() {
    var sent: curl_off_t = 0
    ccurl_get_offset(easy, CURLINFO_SIZE_UPLOAD_T, &sent)
    if let event = upload.step(to: Int(sent)) { order.event(event) }
    order.event(.responded(status: head.status))
    if head.isOfEvents { lastOfEvents = [] }
    guard order.request.method != .head, let length = head.contentLength else { return }
    if length > mostBytes {
      refuse(.tooLarge)
    } else if !(isSuccess && order.takesPieces) {
      body.reserveCapacity(length)
    }
  }

  private var isSuccess: Bool { (200..<300).contains(head.status) }

  private var mostBytes: Int {
    let limit = order.request.limits.responseBytes
    return isSuccess ? limit : min(limit, Self.mostBytesOfFailure)
  }

  /// - Returns: whether the transfer may continue.
  func received(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if isOver { return false }
    guard bytes.count <= mostBytes - bytesReceived else {
      refuse(.tooLarge)
      return false
    }
    bytesReceived += bytes.count
    if let last = lastOfEvents { lastOfEvents = Array((last + bytes.suffix(4)).suffix(4)) }
    noteMovement()
    if isSuccess, order.takesPieces {
      order.event(.received(Array(bytes)))
    } else {
      body.append(contentsOf: bytes)
    }
    return true
  }
}
