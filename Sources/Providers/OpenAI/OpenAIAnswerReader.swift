import CurlHTTP
import JSONRPC

/// Reads the body of an answer as it comes: one JSON object, or a stream of events, whichever the server chose.
struct OpenAIAnswerReader {
  /// Why the body of a good status is no answer.
  enum Problem: Error, Equatable {
    /// The server says in the body that it failed.
    case refused(JSONValue)
    /// Neither JSON nor events.
    case unreadable
    /// The stream ended before the picture.
    case incomplete
    case tooLarge
  }

  private enum Form {
    case undecided
    case object
    case events(ServerSentEventParser)
  }

  private let mostBytes: Int
  private var form = Form.undecided
  private var body: [UInt8] = []
  private var answer: OpenAIAnswer?
  private var hasEvents = false
  /// How many unfinished pictures have come.
  private(set) var partialImages = 0

  init(mostBytes: Int) { self.mostBytes = mostBytes }

  /// Takes the next bytes.
  mutating func append(_ bytes: [UInt8]) throws(Problem) {
    switch form {
    case .undecided:
      // The first character that is no blank tells: events begin with a letter or a colon.
      let begun = Array(bytes.drop { [0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf].contains($0) })
      guard let first = begun.first else { return }
      let isEvent = first == UInt8(ascii: ":") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
      form = isEvent ? .events(ServerSentEventParser(mostBytes: mostBytes)) : .object
      try append(begun)
    case .object:
      body += bytes
      if body.count > mostBytes { throw .tooLarge }
    case .events(var parser):
      // The parser moves out and in again, so that its line is not copied each time.
      form = .undecided
      let events: [ServerSentEvent]
      do throws(ServerSentEventParser.EventTooLarge) { events = try parser.append(bytes) } catch { throw .tooLarge }
      form = .events(parser)
      for event in events { try take(event) }
    }
  }

  /// - Returns: the answer, now that everything has come; one without a picture where the server made none.
  mutating func finish() throws(Problem) -> OpenAIAnswer {
    if case .events = form {
      if let answer { return answer }
      throw hasEvents ? .incomplete : .unreadable
    }
    let read = try Self.read(body)
    if let error = read.json["error"], !error.isNull { throw .refused(read.json) }
    guard read.json.object != nil else { throw .unreadable }
    return OpenAIAnswer(read)
  }

  private mutating func take(_ event: ServerSentEvent) throws(Problem) {
    hasEvents = true
    // The unfinished pictures themselves are not shown, so they need not be read.
    if event.type.hasSuffix(".partial_image") {
      partialImages += 1
      return
    }
    if event.data == "[DONE]" { return }
    let read = try Self.read(Array(event.data.utf8))
    let json = read.json
    if let error = json["error"], !error.isNull { throw .refused(json) }
    let type = event.type == "message" ? json["type"]?.string ?? "" : event.type
    if type == "error" { throw .refused(json) }
    if type.hasSuffix(".partial_image") {
      partialImages += 1
    } else {
      // Servers that name their events otherwise send the picture last.
      let found = OpenAIAnswer(read)
      if found.picture != nil || type.hasSuffix(".completed") { answer = found }
    }
  }

  private static func read(_ bytes: [UInt8]) throws(Problem) -> AnswerBody {
    guard let body = AnswerBody(bytes, maximumValues: 100_000) else { throw .unreadable }
    return body
  }
}
