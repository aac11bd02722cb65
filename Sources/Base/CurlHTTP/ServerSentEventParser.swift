/// Parses an event stream incrementally, in pieces of any length: a piece may end within a line, a character, or
/// between the two bytes of a line ending.
///
/// An event is complete once its empty line is received. What stands at the end of a stream without one may be whole or cut
/// off, which only its data shows.
public struct ServerSentEventParser: Sendable {
  /// An event is larger than allowed. The parser cannot continue.
  public struct EventTooLarge: Error, Equatable {
    public var mostBytes: Int

    public init(mostBytes: Int) {
      self.mostBytes = mostBytes
    }
  }

  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private let mostBytes: Int
  private var line: [UInt8] = []
  private var isFirstLine = true
  /// Whether a line feed that comes next belongs to the preceding carriage return.
  private var skipsLineFeed = false
  private var type: [UInt8] = []
  private var data: [UInt8]?
  private var lastID = ""

  /// - Parameter mostBytes: the maximum size of the data of one event, and of any one line.
  public init(mostBytes: Int) {
    self.mostBytes = mostBytes
  }

  /// Whether a stream is between two events, given its last four bytes, or fewer if there are fewer: before the first
  /// event, or after the empty line that ends one.
  static func isBetweenEvents(after last: [UInt8]) -> Bool {
    last.isEmpty || ["\n\n", "\r\r", "\r\n\r\n"].contains { last.suffix($0.utf8.count).elementsEqual($0.utf8) }
  }

  /// Parses the next bytes of the stream.
  /// - Returns: the events that are now complete, in order.
  public mutating func append(_ bytes: [UInt8]) throws(EventTooLarge) -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    var rest = bytes[...]
    if skipsLineFeed, let first = rest.first {
      if first == Self.lineFeed { rest = rest.dropFirst() }
      skipsLineFeed = false
    }
    while let end = rest.firstIndex(where: { $0 == Self.lineFeed || $0 == Self.carriageReturn }) {
      try extendLine(rest[..<end])
      if let event = try endLine() { events.append(event) }
      let next = rest.index(after: end)
      let isPair = rest[end] == Self.carriageReturn && next < rest.endIndex && rest[next] == Self.lineFeed
      skipsLineFeed = rest[end] == Self.carriageReturn && next == rest.endIndex
      rest = rest[(isPair ? next + 1 : next)...]
    }
    try extendLine(rest)
    return events
  }

  /// Ends the stream.
  /// - Returns: the event that lacked its empty line, if there is one; its last line may be cut off.
  public mutating func finish() throws(EventTooLarge) -> ServerSentEvent? {
    if !line.isEmpty { _ = try endLine() }
    return endEvent()
  }

  private mutating func extendLine(_ bytes: ArraySlice<UInt8>) throws(EventTooLarge) {
    guard bytes.count <= mostBytes - line.count else { throw EventTooLarge(mostBytes: mostBytes) }
    line += bytes
  }

  private mutating func endLine() throws(EventTooLarge) -> ServerSentEvent? {
    var content = line[...]
    line = []
    if isFirstLine {
      isFirstLine = false
      if content.starts(with: Self.byteOrderMark) { content = content.dropFirst(Self.byteOrderMark.count) }
    }
    guard !content.isEmpty else { return endEvent() }
    let name = content.prefix { $0 != UInt8(ascii: ":") }
    var value = content.dropFirst(name.count + 1)
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    try take(name, value)
    return nil
  }

  private mutating func take(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) throws(EventTooLarge) {
    if name.elementsEqual("data".utf8) {
      guard (data?.count ?? 0) + value.count < mostBytes else { throw EventTooLarge(mostBytes: mostBytes) }
      if data == nil {
        data = Array(value)
      } else {
        data?.append(Self.lineFeed)
        data?.append(contentsOf: value)
      }
    } else if name.elementsEqual("event".utf8) {
      type = Array(value)
    } else if name.elementsEqual("id".utf8), !value.contains(0) {
      lastID = String(decoding: value, as: UTF8.self)
    }
  }

  private mutating func endEvent() -> ServerSentEvent? {
    defer {
      data = nil
      type = []
    }
    guard let data else { return nil }
    return ServerSentEvent(
      type: type.isEmpty ? "message" : String(decoding: type, as: UTF8.self),
      data: String(decoding: data, as: UTF8.self), lastID: lastID)
  }
}

/// One event of an event stream (WHATWG HTML, 9.2).
public struct ServerSentEvent: Sendable, Equatable {
  /// "message" when the stream names no type.
  public var type: String
  /// The lines of the event's data, joined with line feeds.
  public var data: String
  /// The last identifier that the stream gave; empty when it gave none.
  public var lastID: String

  public init(type: String = "message", data: String, lastID: String = "") {
    self.type = type
    self.data = data
    self.lastID = lastID
  }
}
