import Foundation
import Synchronization

/// One connection to a ``RawServer``, used by its script.
final class RawConnection: Sendable {
  /// How many connections the server had before this one.
  let number: Int
  private let socket: Int32
  /// What was read beyond the request that was asked for; then whether the socket is closed.
  private let buffer = Mutex<[UInt8]>([])
  private let isClosed = Mutex(false)

  init(_ socket: Int32, number: Int) {
    self.socket = socket
    self.number = number
    // What a script writes in pieces leaves in pieces.
    var isOn: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Reads one whole request.
  /// - Returns: nil when the connection ended first.
  func readRequest() -> RawRequest? {
    guard var request = readHead() else { return nil }
    while request.body.count < request.contentLength {
      guard let more = readSome() else { return nil }
      request.body += more
    }
    let rest = request.body.dropFirst(request.contentLength)
    buffer.withLock { $0 = Array(rest) }
    request.body.removeLast(rest.count)
    return request
  }

  /// Reads a request's head; what follows it that has come already is its body so far.
  func readHead() -> RawRequest? {
    var bytes = buffer.withLock { buffer in
      defer { buffer = [] }
      return buffer
    }
    while true {
      if let request = RawRequest(bytes) { return request }
      guard let more = readSome() else { return nil }
      bytes += more
    }
  }

  /// - Returns: nil when the other side has closed or reset the connection.
  func readSome(_ most: Int = 65_536) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: most)
    var count = recv(socket, &bytes, bytes.count, 0)
    while count < 0, errno == EINTR { count = recv(socket, &bytes, bytes.count, 0) }
    guard count > 0 else { return nil }
    return Array(bytes.prefix(count))
  }

  /// Reads until the other side closes the connection.
  func waitForEnd() {
    while readSome() != nil {}
  }

  /// Waits, without reading, until the other side has closed or reset the connection.
  func waitForReset() {
    // A reset is reported unasked; a plain end has to be asked for: POLLRDHUP, which Swift's Glibc lacks.
    var entry = pollfd(fd: socket, events: 0x2000, revents: 0)
    while poll(&entry, 1, -1) < 0 {}
  }

  /// - Returns: false when nobody reads any more.
  @discardableResult
  func write(_ bytes: some Sequence<UInt8>) -> Bool {
    let bytes = Array(bytes)
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { all in
        let rest = UnsafeRawBufferPointer(rebasing: all[sent...])
        return send(socket, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  @discardableResult
  func write(_ text: String) -> Bool { write(text.utf8) }

  /// A whole response with its length.
  @discardableResult
  func respond(_ status: Int = 200, _ headers: String = "", body: some Collection<UInt8>) -> Bool {
    write(Array("HTTP/1.1 \(status) X\r\nContent-Length: \(body.count)\r\n\(headers)\r\n".utf8) + Array(body))
  }

  @discardableResult
  func respond(_ status: Int = 200, _ headers: String = "", _ body: String = "") -> Bool {
    respond(status, headers, body: Array(body.utf8))
  }

  /// Ends the connection with a reset instead of an end.
  func reset() {
    var lingering = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  /// Wakes whoever reads or writes; the script then closes.
  func hangUp() {
    isClosed.withLock { if !$0 { _ = shutdown(socket, Int32(SHUT_RDWR)) } }
  }

  func close() {
    isClosed.withLock { isClosed in
      if !isClosed { _ = Glibc.close(socket) }
      isClosed = true
    }
  }
}
