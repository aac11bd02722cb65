import JSON
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

/// The answer to a request for pictures, before it is decided how it travels.
struct GeneratedAnswer: Sendable {
  var answer: HTTPAnswer
  /// What the request says, as far as it was understood.
  var facts: RequestFacts?
  /// The step with what the prompt adds to it.
  var step: ScenarioStep
  /// False for a request that was refused: it meets no fault and no latency.
  var isAccepted = true
}

/// How one request is answered, in full.
struct Reply: Sendable {
  var plan: [PlanStep]
  /// Whether the connection serves further requests after the plan.
  var keepsAlive = true
  var status: Int?
  var fault: String?
  var facts: RequestFacts?
  var model: String?
}

/// Writes JSON as Google's front end does unless told otherwise: indented by two spaces.
struct PrettyJSON {
  private(set) var bytes: [UInt8] = []
  private var depth = 0

  mutating func write(_ value: JSONValue) {
    switch value {
    case .object(let object) where !object.isEmpty:
      list(object, opening: "{", closing: "}") { writer, member in
        writer.bytes += JSONValue.string(member.key).serialized()
        writer.bytes += Array(": ".utf8)
        writer.write(member.value)
      }
    case .array(let array) where !array.isEmpty:
      list(array, opening: "[", closing: "]") { writer, element in writer.write(element) }
    default: bytes += value.serialized()
    }
  }

  private mutating func list<List: Sequence>(
    _ list: List, opening: String, closing: String, _ write: (inout PrettyJSON, List.Element) -> Void
  ) {
    bytes += Array(opening.utf8)
    depth += 1
    var isFirst = true
    for element in list {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      newLine()
      write(&self, element)
    }
    depth -= 1
    newLine()
    bytes += Array(closing.utf8)
  }

  private mutating func newLine() {
    bytes.append(UInt8(ascii: "\n"))
    for _ in 0..<depth * 2 { bytes.append(UInt8(ascii: " ")) }
  }
}

/// Writes gzip (RFC 1952) without compressing, and without end.
enum Gzip {
  private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

  /// The bytes in stored blocks.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    // A zlib stream has a header of two bytes and a check value of four around the same blocks.
    let blocks = PNGWriter.stored(bytes).dropFirst(2).dropLast(4)
    return header + blocks + littleEndian(Checksum.crc32(bytes.span))
      + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
  }

  private static func littleEndian(_ value: UInt32) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  // MARK: Without end

  /// Opens a block of fixed codes with one space, which ``endlessPattern`` repeats.
  static let endlessOpening = header + endless.prefix(2)

  /// Again and again: each 13 bytes unfold to 2064 spaces.
  static let endlessPattern: [UInt8] = Array((0..<64).map { _ in Array(endless[2..<15]) }.joined())

  /// Eight repetitions are 104 bits, so the bytes from the second on come again after 13.
  private static let endless: [UInt8] = {
    // Not the last block, fixed codes; then the space, the most significant bit first as all codes.
    var bits = [0, 1, 0] + code(0x30 + 0x20, 8)
    // The code for a length of 258, and the one for a distance of 1.
    for _ in 0..<16 { bits += code(0b1100_0101, 8) + code(0, 5) }
    return stride(from: 0, to: bits.count / 8 * 8, by: 8).map { start in
      (0..<8).reduce(UInt8(0)) { $0 | UInt8(bits[start + $1]) << UInt8($1) }
    }
  }()

  private static func code(_ value: Int, _ count: Int) -> [Int] {
    (0..<count).reversed().map { value >> $0 & 1 }
  }
}

/// Writes events as a server sends them (`text/event-stream`).
struct EventStream {
  var fault: StreamFault?

  /// - Parameter events: JSON, each on one line.
  /// - Returns: what to send, each element at once.
  func pieces(_ events: [String]) -> [[UInt8]] {
    switch fault {
    case .error: return [event(events[0]), event(Self.overloaded)]
    case .bareError: return [event(events[0]), Array((Self.overloaded + "\n").utf8)]
    case .noFinish: return (events.count > 1 ? events.dropLast() : []).map(event)
    case .done: return events.map(event) + [event("[DONE]")]
    case .notJSON: return [event(events[0]), event("{\"candidates\": [oops")] + events.dropFirst().map(event)
    case .comments:
      return [Array(": hello\n\n".utf8)] + events.map { Array(": still there\nevent: message\n".utf8) + event($0) }
    case .smallPieces: return Self.cut(Array(events.map(event).joined()), 7)
    case .carriageReturns, .manyLines, nil: return events.map(event)
    }
  }

  private static let overloaded = """
    {"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}
    """

  private func event(_ json: String) -> [UInt8] {
    let end = fault == .carriageReturns ? "\r\n" : "\n"
    // A line may end after a brace that opens an object: white space is allowed there.
    let lines = fault == .manyLines && json.hasPrefix("{") ? ["{", String(json.dropFirst())] : [json]
    return Array((lines.map { "data: \($0)\(end)" }.joined() + end).utf8)
  }

  private static func cut(_ bytes: [UInt8], _ length: Int) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: length).map { Array(bytes[$0..<min($0 + length, bytes.count)]) }
  }
}
