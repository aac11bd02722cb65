import JSONRPC
import NIOCore
import NIOHTTP1

/// One HTTP answer, before it is decided how it travels.
struct HTTPAnswer: Sendable {
  enum Body: Sendable {
    /// Sent with its length.
    case whole([UInt8])
    /// Sent chunked (RFC 9112 section 7.1), each piece a chunk.
    case pieces([[UInt8]])
  }

  var status: Int
  var headers: [HeaderField]
  var body: Body
  /// Whether the connection serves further requests.
  var keepsAlive = true

  init(status: Int, headers: [HeaderField], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = .whole(body)
  }

  static func json(status: Int = 200, _ value: JSONValue) -> HTTPAnswer {
    var writer = PrettyJSON()
    writer.write(value)
    return HTTPAnswer(status: status, headers: googleHeaders("application/json; charset=UTF-8"), body: writer.bytes)
  }

  static func html(status: Int, _ page: String) -> HTTPAnswer {
    HTTPAnswer(
      status: status, headers: [HeaderField("Content-Type", "text/html; charset=UTF-8")], body: Array(page.utf8))
  }

  /// The fields that Google's front end adds.
  static func googleHeaders(_ contentType: String) -> [HeaderField] {
    [
      HeaderField("Content-Type", contentType),
      HeaderField("Vary", "X-Origin, Referer, Origin, Accept-Encoding"),
      HeaderField("Server", "scaffolding on HTTPServer2"),
      HeaderField("X-Content-Type-Options", "nosniff"),
    ]
  }

  // MARK: Bytes

  /// The status line and the fields, to the empty line.
  var headBytes: [UInt8] {
    let reason = HTTPResponseStatus(statusCode: status).reasonPhrase
    var text = "HTTP/1.1 \(status) \(reason)\r\n"
    for field in headers { text += "\(field.name): \(field.value)\r\n" }
    switch body {
    case .whole(let bytes): if status != 304 && status != 204 { text += "Content-Length: \(bytes.count)\r\n" }
    case .pieces: text += "Transfer-Encoding: chunked\r\n"
    }
    if !keepsAlive { text += "Connection: close\r\n" }
    return Array((text + "\r\n").utf8)
  }

  /// What follows the head, in the pieces it is to be sent in.
  var bodyBytes: [[UInt8]] {
    switch body {
    case .whole(let bytes): bytes.isEmpty ? [] : [bytes]
    case .pieces(let pieces): pieces.map(Self.chunk) + [Array("0\r\n\r\n".utf8)]
    }
  }

  static func chunk(_ bytes: [UInt8]) -> [UInt8] {
    Array((String(bytes.count, radix: 16) + "\r\n").utf8) + bytes + Array("\r\n".utf8)
  }
}
