import AtelierProtocol
import CurlHTTP
import Encodings
import Imaging
import JSON

/// A server's answer: an image, as base64 or a link, and the token counts.
struct OpenAIAnswer: Sendable, Equatable {
  enum Picture: Sendable, Equatable {
    case base64(ReceivedBase64)
    case link(String)
  }

  var picture: Picture?
  /// The model that served the request, if the server reports it.
  var model: String?
  private(set) var tokens = TokenCounts()
  private(set) var inputTokens = 0
  private(set) var outputTokens = 0
  /// Such as `1024x1024`.
  private(set) var size: String?

  /// Reads the object of an answer, or of the last event of a stream, which has the image at the top level.
  init(_ body: AnswerBody) {
    // Gateways put the object of some answers into an array.
    let answers = body.json.array ?? [body.json]
    let json = answers.first { $0.object != nil } ?? body.json
    let entries = answers.flatMap { $0["data"]?.array ?? [$0["data"] ?? .null] }
    picture = (entries + answers).lazy.compactMap { Self.picture(in: $0, of: body) }.first
    model = json["model"]?.string.flatMap { CloudSettings.isModelName($0) ? $0 : nil }
    size = json["size"]?.string
    read(usage: json["usage"])
  }

  /// What the members of an entry hold is known by its form: servers put base64, links and `data:` URLs into either. A link
  /// beside an error leads to its explanation.
  private static func picture(in entry: JSONValue, of body: AnswerBody) -> Picture? {
    let takesLinks = !OpenAIFailure.states(["error", "errors"], in: entry)
    for name in ["b64_json", "url"] {
      guard let text = entry[name]?.statedText else { continue }
      let base64 = body.base64(entry[name])
      let isOther = name == "url" && !DataURL.begins(text.utf8) && !isPicture(base64)
      guard let link = base64.link ?? (isOther ? text : nil) else { return .base64(base64) }
      if takesLinks { return .link(link) }
    }
    return nil
  }

  private static func isPicture(_ base64: ReceivedBase64) -> Bool {
    guard let bytes = base64.decoded()?.bytes, case .picture = RecognisedContent(of: bytes) else { return false }
    return true
  }

  /// No image uses as many tokens: a larger count is invalid, and would be charged.
  private static let mostTokens: Int64 = 10_000_000

  private mutating func read(usage: JSONValue?) {
    func count(_ value: JSONValue?) -> Int? {
      guard let count = value?.int64, (0...Self.mostTokens).contains(count) else { return nil }
      return Int(count)
    }
    inputTokens = count(usage?["input_tokens"]) ?? 0
    outputTokens = count(usage?["output_tokens"]) ?? 0
    let input = usage?["input_tokens_details"]
    let output = usage?["output_tokens_details"]
    tokens = TokenCounts(
      textInput: count(input?["text_tokens"]), imageInput: count(input?["image_tokens"]),
      textOutput: count(output?["text_tokens"]),
      imageOutput: count(output?["image_tokens"]) ?? count(usage?["output_tokens"]))
    // Without the breakdown, text would be counted as images or vice versa.
    if tokens.textInput == nil, tokens.imageInput == nil, inputTokens > 0 { tokens.imageOutput = nil }
  }

  /// - Parameter model: the requested model, used if the server does not report which one served the request.
  func usage(model: String, prices: PriceTable) -> Usage {
    let cost = prices.cost(model: model, tokens: tokens, images: 1, size: size)
    return Usage(inputTokens: inputTokens, outputTokens: outputTokens, costUsd: cost)
  }
}

/// Parses the body of an answer as it arrives: one JSON object or an event stream, whichever the server chose.
struct OpenAIAnswerReader {
  /// Why the body of a response with a success status is not an answer.
  enum Problem: Error, Equatable {
    /// The body reports an error.
    case refused(JSONValue)
    /// Neither JSON nor events.
    case unreadable
    /// The stream ended before the image.
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
  /// What the last event said besides its progress: an error if nothing follows it.
  private var refusal: JSONValue?
  /// Whether the finished picture has come: nothing that follows takes it back.
  private var isCompleted = false
  /// The number of partial images received.
  private(set) var partialImages = 0

  init(mostBytes: Int) { self.mostBytes = mostBytes }

  /// Parses the next bytes.
  mutating func append(_ bytes: [UInt8]) throws(Problem) {
    switch form {
    case .undecided:
      // The first non-blank character decides: events begin with a letter or a colon.
      let begun = Array(bytes.drop { [0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf].contains($0) })
      guard let first = begun.first else { return }
      let isEvent = first == UInt8(ascii: ":") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
      form = isEvent ? .events(ServerSentEventParser(mostBytes: mostBytes)) : .object
      try append(begun)
    case .object:
      body += bytes
      if body.count > mostBytes { throw .tooLarge }
    case .events(var parser):
      // The parser is moved out and back in, so that its line buffer is not copied each time.
      form = .undecided
      let events: [ServerSentEvent]
      do throws(ServerSentEventParser.EventTooLarge) { events = try parser.append(bytes) } catch { throw .tooLarge }
      form = .events(parser)
      for event in events { try take(event) }
    }
  }

  /// - Returns: the answer, once everything is received; without an image if the server made none.
  mutating func finish() throws(Problem) -> OpenAIAnswer {
    if case .events = form {
      if let answer { return answer }
      if let refusal { throw .refused(refusal) }
      throw hasEvents ? .incomplete : .unreadable
    }
    guard let read = Self.read(body) else { throw .unreadable }
    // A picture that is there has been paid for, whatever else is said.
    let answer = OpenAIAnswer(read)
    if answer.picture != nil { return answer }
    if let refusal = OpenAIFailure.refusal(in: read.json) { throw .refused(refusal) }
    guard read.json.object != nil else { throw .unreadable }
    return answer
  }

  /// The answer with its finished picture, if that has come, although the stream may not have ended.
  var completedAnswer: OpenAIAnswer? { isCompleted ? answer : nil }

  private mutating func take(_ event: ServerSentEvent) throws(Problem) {
    hasEvents = true
    // Partial images are not shown, so they need not be parsed.
    if event.type.hasSuffix(".partial_image") {
      partialImages += 1
      return
    }
    if event.data == "[DONE]" {
      isCompleted = isCompleted || answer?.picture != nil
      return
    }
    guard let read = Self.read(Array(event.data.utf8)) else {
      if isCompleted { return }
      throw .unreadable
    }
    let type = event.type == "message" ? read.json["type"]?.string ?? "" : event.type
    if type.hasSuffix(".partial_image") { partialImages += 1 } else { try take(read, type: type) }
  }

  /// Takes any event but that of a partial image.
  private mutating func take(_ event: AnswerBody, type: String) throws(Problem) {
    var found = OpenAIAnswer(event)
    let isLast = type.hasSuffix(".completed")
    let isFailure = type.hasSuffix("error") || type.hasSuffix("failed")
    if isFailure, case .link = found.picture { found.picture = nil }
    if found.picture != nil {
      // Servers with other event names send the image last.
      answer = found
      isCompleted = isCompleted || isLast
      return
    }
    if isCompleted { return }
    let stated = OpenAIFailure.refusal(in: event.json)
    if isFailure || stated?["error"]?.isStated == true { throw .refused(stated ?? event.json) }
    refusal = type.isEmpty || isLast ? stated : nil
    guard isLast else { return }
    // The event that ends a stream may tell the counts alone, after the picture.
    found.picture = answer?.picture
    isCompleted = found.picture != nil
    if isCompleted || stated == nil { answer = found }
  }

  private static func read(_ bytes: [UInt8]) -> AnswerBody? { AnswerBody(bytes, maximumValues: 100_000) }
}
