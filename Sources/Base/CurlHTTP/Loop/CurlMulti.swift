import CCurl

/// libcurl's multi handle, with the sockets and the deadline it waits for. Used on the transfer thread only.
///
/// The multi handle reports by callbacks what it waits for, instead of scanning all transfers in every iteration, so
/// that a thousand transfers cost no more than the active ones.
final class CurlMulti {
  private let handle: UnsafeMutableRawPointer
  private let poller: SocketPoller
  /// When libcurl must be called even if no socket is ready.
  private(set) var deadline: ContinuousClock.Instant?

  /// - Returns: nil when there is no memory, or libcurl is too old.
  init?(_ poller: SocketPoller) {
    guard let handle = ccurl_multi_init() else { return nil }
    self.handle = handle
    self.poller = poller
    // The callbacks get an unretained pointer to self: deinit removes them before the object is freed.
    let context = Unmanaged.passUnretained(self).toOpaque()
    let code = ccurl_multi_set_callbacks(handle, Self.watchSocket, Self.setTimer, context)
    // The default keeps four connections per running transfer, so that nearly all are closed after a burst.
    ccurl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, 256)
    // As many as the server allows; by default, the 101st transfer opens a new connection, and so does each after it.
    ccurl_multi_set_long(handle, CURLMOPT_MAX_CONCURRENT_STREAMS, 1_000)
    guard code == CURLM_OK else { return nil }
  }

  deinit {
    ccurl_multi_set_callbacks(handle, nil, nil, nil)
    ccurl_multi_cleanup(handle)
  }

  func add(_ easy: UnsafeMutableRawPointer) -> Bool { ccurl_multi_add(handle, easy) == CURLM_OK }

  /// Cancels a transfer that has not ended: HTTP/1 connections are closed, HTTP/2 streams reset.
  func remove(_ easy: UnsafeMutableRawPointer) { ccurl_multi_remove(handle, easy) }

  /// Lets libcurl handle a ready socket.
  func handle(_ readiness: SocketPoller.Readiness) {
    var flags: Int32 = 0
    if readiness.canRead { flags |= CURL_CSELECT_IN }
    if readiness.canWrite { flags |= CURL_CSELECT_OUT }
    if readiness.isBroken { flags |= CURL_CSELECT_ERR }
    var running: Int32 = 0
    ccurl_multi_socket_action(handle, readiness.descriptor, flags, &running)
  }

  /// Lets libcurl do the work that is due.
  func handleDeadline(now: ContinuousClock.Instant) {
    guard let deadline, deadline <= now else { return }
    self.deadline = nil
    var running: Int32 = 0
    ccurl_multi_socket_action(handle, CURL_SOCKET_BAD, 0, &running)
  }

  /// The next transfer that has ended by itself, and its result code.
  func nextEnded() -> (easy: UnsafeMutableRawPointer, code: CURLcode)? {
    var easy: UnsafeMutableRawPointer?
    var code = CURLE_OK
    guard ccurl_multi_next_ended(handle, &easy, &code), let easy else { return nil }
    return (easy, code)
  }

  // libcurl calls these only during a call from one of the methods above, so self is alive and on its thread.

  private static let watchSocket: curl_socket_callback = { _, socket, request, context, _ in
    guard let context else { return 0 }
    let multi = Unmanaged<CurlMulti>.fromOpaque(context).takeUnretainedValue()
    if request == CURL_POLL_REMOVE {
      multi.poller.forget(socket)
    } else {
      multi.poller.watch(socket, reading: request & CURL_POLL_IN != 0, writing: request & CURL_POLL_OUT != 0)
    }
    return 0
  }

  private static let setTimer: curl_multi_timer_callback = { _, milliseconds, context in
    guard let context else { return 0 }
    let multi = Unmanaged<CurlMulti>.fromOpaque(context).takeUnretainedValue()
    multi.deadline = milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
    return 0
  }
}

/// The libcurl library itself.
enum CurlLibrary {
  /// Loads libcurl; may be called repeatedly from any thread, and takes some milliseconds the first time.
  static func load() throws(HTTPError) {
    if let reason = ccurl_load() {
      throw HTTPError(.unusable, mayHaveBeenSent: false, detail: "\(String(cString: reason)).")
    }
  }
}

extension HTTPError {
  static let noMemory = HTTPError(
    .unusable, mayHaveBeenSent: false, detail: "libcurl has no memory for a transfer, or is too old.")
}
