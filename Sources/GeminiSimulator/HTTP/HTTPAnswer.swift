import JSON
import NIOHTTP1

/// One HTTP answer, before it is decided how it travels. Thrown for a request that is refused.
struct HTTPAnswer: Error, Sendable {
  enum Body: Sendable {
    /// Sent with its length.
    case whole([UInt8])
    /// Sent chunked (RFC 9112 section 7.1), each piece a chunk.
    case pieces([[UInt8]])
    /// Sent without a length: it ends with the connection.
    case untilClose([UInt8])
  }

  var status = 200
  var headers: [HeaderField]
  var body: Body
  /// Whether the connection serves further requests.
  var keepsAlive = true

  init(status: Int = 200, _ contentType: String, _ body: [UInt8] = []) {
    self.status = status
    headers = [HeaderField("Content-Type", contentType)]
    self.body = .whole(body)
  }

  /// Indented, as Google's front end writes it.
  static func google(status: Int = 200, _ value: JSONValue) -> HTTPAnswer {
    var bytes: [UInt8] = []
    value.write(to: &bytes, margin: "\n")
    return HTTPAnswer(status: status, "application/json; charset=UTF-8", bytes)
  }

  static func json(status: Int = 200, _ value: JSONValue) -> HTTPAnswer {
    HTTPAnswer(status: status, "application/json", value.serialized())
  }

  static func html(status: Int, _ page: String) -> HTTPAnswer {
    HTTPAnswer(status: status, "text/html; charset=UTF-8", Array(page.utf8))
  }

  /// - Parameter pieces: what is sent at once.
  static func stream(_ contentType: String, _ pieces: [[UInt8]]) -> HTTPAnswer {
    var answer = HTTPAnswer(contentType)
    answer.body = .pieces(pieces)
    return answer
  }

  // MARK: Bytes

  /// The status line and the fields, to the empty line.
  var headBytes: [UInt8] {
    var text = "HTTP/1.1 \(status) \(HTTPResponseStatus(statusCode: status).reasonPhrase)\r\n"
    for field in headers { text += "\(field.name): \(field.value)\r\n" }
    switch body {
    case .whole(let bytes): text += "Content-Length: \(bytes.count)\r\n"
    case .pieces: text += "Transfer-Encoding: chunked\r\n"
    case .untilClose: break
    }
    if !keepsAlive { text += "Connection: close\r\n" }
    return Array((text + "\r\n").utf8)
  }

  /// What follows the head, in the pieces it is to be sent in.
  var bodyPieces: [[UInt8]] {
    switch body {
    case .whole(let bytes), .untilClose(let bytes): bytes.isEmpty ? [] : [bytes]
    case .pieces(let pieces): pieces.map(Self.chunk) + [Array("0\r\n\r\n".utf8)]
    }
  }

  /// The body as the client is to understand it.
  var wholeBody: [UInt8] {
    switch body {
    case .whole(let bytes), .untilClose(let bytes): bytes
    case .pieces(let pieces): Array(pieces.joined())
    }
  }

  static func chunk(_ bytes: [UInt8]) -> [UInt8] {
    Array((String(bytes.count, radix: 16) + "\r\n").utf8) + bytes + Array("\r\n".utf8)
  }
}

extension JSONValue {
  /// - Parameter margin: a line end with what indents the line.
  fileprivate func write(to bytes: inout [UInt8], margin: String) {
    func list<Element>(
      _ elements: some Collection<Element>, _ opening: String, _ closing: String, _ write: (Element) -> Void
    ) {
      bytes += Array(opening.utf8)
      for (index, element) in elements.enumerated() {
        bytes += Array(((index > 0 ? "," : "") + margin + "  ").utf8)
        write(element)
      }
      bytes += Array((elements.isEmpty ? closing : margin + closing).utf8)
    }
    switch self {
    case .object(let object):
      list(Array(object), "{", "}") { member in
        bytes += JSONValue.string(member.key).serialized() + Array(": ".utf8)
        member.value.write(to: &bytes, margin: margin + "  ")
      }
    case .array(let array): list(array, "[", "]") { $0.write(to: &bytes, margin: margin + "  ") }
    default: bytes += serialized()
    }
  }

  init(_ integer: Int) { self = .number(JSONNumber(integer)) }
}
