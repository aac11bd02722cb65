/// The head of the final response, assembled line by line. Interim responses (1xx) are skipped.
struct ResponseHead: Equatable {
  /// More than any server needs; stops servers that never end their head.
  private static let mostBytes = 256 * 1_024

  enum Refusal: Error {
    case tooLong, notHTTP
  }

  private(set) var status = 0
  private(set) var headers: [HTTPHeader] = []
  /// Whether the final response's head has ended; later lines are trailers and are ignored.
  private(set) var isComplete = false
  private var bytes = 0

  /// Whether an incomplete response has begun to arrive; a complete interim response does not count.
  private(set) var hasBegun = false

  /// Whether the body is an event stream, in which the server sends each event when it is ready.
  var isOfEvents: Bool {
    headers.contains {
      $0.name.lowercased() == "content-type" && $0.value.lowercased().hasPrefix("text/event-stream")
    }
  }

  /// The length of the body, if known; nil when the body is compressed.
  var contentLength: Int? {
    func value(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }
    return value("content-encoding") == nil ? value("content-length").flatMap { Int($0) }.map { max(0, $0) } : nil
  }

  /// - Parameter line: with or without its line ending.
  /// - Returns: whether this line completes the head.
  mutating func take(_ line: some BidirectionalCollection<UInt8>) throws(Refusal) -> Bool {
    if isComplete { return false }
    bytes += line.count
    guard bytes <= Self.mostBytes else { throw .tooLong }
    hasBegun = true
    let isFolded = line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t")
    let text = Self.trimmed(line)
    if text.isEmpty {
      isComplete = status >= 200
      hasBegun = isComplete
      return isComplete
    }
    if text.starts(with: "HTTP/".utf8) {
      try takeStatusLine(text)
    } else if isFolded {
      if let last = headers.indices.last { headers[last].value += " " + String(decoding: text, as: UTF8.self) }
    } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
      headers.append(
        HTTPHeader(
          String(decoding: text[..<colon], as: UTF8.self),
          String(decoding: Self.trimmed(text[text.index(after: colon)...]), as: UTF8.self)))
    }
    return false
  }

  private mutating func takeStatusLine(_ text: some BidirectionalCollection<UInt8>) throws(Refusal) {
    let digits = text.drop { $0 != UInt8(ascii: " ") }.dropFirst().prefix(3)
    guard digits.count == 3, let status = Int(String(decoding: digits, as: UTF8.self)), status >= 100 else {
      throw .notHTTP
    }
    self.status = status
    headers = []
  }

  private static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ line: Bytes) -> Bytes.SubSequence {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    var text = line.drop(while: isSpace)
    while let last = text.last, isSpace(last) { text = text.dropLast() }
    return text
  }
}
