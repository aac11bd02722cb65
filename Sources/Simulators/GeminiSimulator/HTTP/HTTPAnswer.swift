import JSON
import NIOHTTP1

/// One HTTP answer, before it is decided how it travels. Thrown for a request that is refused.
struct HTTPAnswer: Error, Sendable {
  /// How the client finds the end of the body; a chunked one is RFC 9112 section 7.1.
  enum Framing: Sendable { case length, chunked, untilClose }

  var status = 200
  var headers: [HeaderField]
  /// In the pieces that are sent at once, or are the chunks.
  var body: [[UInt8]]
  var framing = Framing.length
  /// Whether the connection serves further requests.
  var keepsAlive = true

  init(status: Int = 200, _ contentType: String, _ body: [UInt8] = []) {
    self.status = status
    headers = [HeaderField("Content-Type", contentType)]
    self.body = [body]
  }

  static func json(status: Int = 200, _ value: JSONValue) -> HTTPAnswer { json(status: status, value.serialized()) }

  static func json(status: Int = 200, _ bytes: [UInt8]) -> HTTPAnswer {
    HTTPAnswer(status: status, "application/json; charset=UTF-8", bytes)
  }

  static func html(status: Int = 200, _ page: String) -> HTTPAnswer {
    HTTPAnswer(status: status, "text/html; charset=UTF-8", Array(page.utf8))
  }

  static func stream(_ contentType: String, _ pieces: [[UInt8]]) -> HTTPAnswer {
    var answer = HTTPAnswer(contentType)
    (answer.body, answer.framing) = (pieces, .chunked)
    return answer
  }

  // MARK: Bytes

  /// The status line and the fields, to the empty line.
  var headBytes: [UInt8] {
    var text = "HTTP/1.1 \(status) \(HTTPResponseStatus(statusCode: status).reasonPhrase)\r\n"
    for field in headers { text += "\(field.name): \(field.value)\r\n" }
    switch framing {
    case .length: text += "Content-Length: \(body.reduce(0) { $0 + $1.count })\r\n"
    case .chunked: text += "Transfer-Encoding: chunked\r\n"
    case .untilClose: break
    }
    if !keepsAlive { text += "Connection: close\r\n" }
    return Array((text + "\r\n").utf8)
  }

  /// What follows the head, in the pieces it is to be sent in.
  var bodyPieces: [[UInt8]] { framing == .chunked ? body.map(Self.chunk) + [Array("0\r\n\r\n".utf8)] : body }

  /// The body as the client is to understand it.
  var wholeBody: [UInt8] { body.count == 1 ? body[0] : Array(body.joined()) }

  static func chunk(_ bytes: [UInt8]) -> [UInt8] {
    Array((String(bytes.count, radix: 16) + "\r\n").utf8) + bytes + Array("\r\n".utf8)
  }
}

extension JSONValue {
  init(_ integer: Int) { self = .number(JSONNumber(integer)) }

  /// Stands for a picture until the JSON is written.
  static func picture(_ index: Int) -> JSONValue { .string("<\(index)>") }

  /// Writes the JSON of an answer, which has pictures in it. They are put in afterwards, as they are: texts so long
  /// would take time, and base64 needs no escapes.
  /// - Parameter picture: makes the base64 of a picture.
  func serialized(picture: (Int) -> [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = serialized()[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")), let end = rest.firstIndex(of: UInt8(ascii: ">")) {
      bytes += rest[..<start]
      bytes += picture(Int(String(decoding: rest[start..<end].dropFirst(), as: UTF8.self)) ?? 0)
      rest = rest[(end + 1)...]
    }
    return bytes + rest
  }
}
