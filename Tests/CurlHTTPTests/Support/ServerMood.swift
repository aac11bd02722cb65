import CurlHTTP
import Testing

/// What a server does with a request, and what its client must make of it.
enum ServerMood: String, CaseIterable {
  case echo, chunked, drip, failure, redirect, hang, reset, resetInBody, truncated, tooLarge, garbage, closing

  init?(_ target: String) {
    self.init(rawValue: String(target.dropFirst()))
  }

  /// - Returns: whether the connection can be used again.
  func answer(_ request: RawRequest, on connection: RawConnection) -> Bool {
    switch self {
    case .echo: return connection.respond(200, "", body: request.body)
    case .chunked:
      connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      for start in stride(from: 0, to: request.body.count, by: 10_000) {
        let chunk = request.body[start..<min(start + 10_000, request.body.count)]
        connection.write(Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8))
      }
      return connection.write("0\r\n\r\n")
    case .drip:
      for byte in "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndrip".utf8 { connection.write([byte]) }
      return true
    case .failure: return connection.respond(503, "Retry-After: 7\r\n", "busy")
    case .redirect: return connection.respond(307, "Location: /echo\r\n", "elsewhere")
    case .hang: connection.waitForEnd()
    case .reset: connection.reset()
    case .resetInBody:
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
      connection.reset()
    case .truncated: connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
    case .tooLarge:
      connection.write("HTTP/1.1 200 OK\r\n\r\n")
      while connection.write([UInt8](repeating: 1, count: 10_000)) {}
    case .garbage: connection.write("220 mail.example ESMTP\r\n")
    case .closing: connection.respond(200, "Connection: close\r\n", body: request.body)
    }
    return false
  }

  func check(_ result: Result<HTTPResponse, any Error>, _ body: [UInt8], _ comment: Comment) {
    let response = try? result.get()
    var cause: HTTPError.Cause?
    if case .failure(let error as HTTPError) = result { cause = error.cause }
    switch self {
    case .echo, .chunked, .closing: #expect(response?.status == 200 && response?.body == body, comment)
    case .drip: #expect(response?.body == Array("drip".utf8), comment)
    case .failure: #expect(response?.status == 503 && response?.header("retry-after") == "7", comment)
    case .redirect: #expect(response?.status == 307 && response?.body == Array("elsewhere".utf8), comment)
    case .hang: Issue.record("It ended though nobody answered.")
    case .reset: #expect(cause == .reset, comment)
    // A reset may overtake what was written before it.
    case .resetInBody: #expect(cause == .truncated || cause == .reset, comment)
    case .truncated: #expect(cause == .truncated, comment)
    case .tooLarge: #expect(cause == .tooLarge, comment)
    case .garbage: #expect(cause == .malformed, comment)
    }
  }
}
