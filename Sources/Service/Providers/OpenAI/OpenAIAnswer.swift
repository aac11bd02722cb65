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
    /// The body was the picture itself.
    case bytes([UInt8])
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
    picture =
      (entries + answers).lazy.compactMap { Self.picture(in: $0, of: body) }.first
      ?? answers.lazy.compactMap { PicturePlaces.picture(in: $0, of: body) }.first
    model = json["model"]?.string.flatMap { CloudSettings.isModelName($0) ? $0 : nil }
    size = json["size"]?.string
    read(usage: json["usage"])
  }

  /// An answer whose body is a picture.
  init(picture: [UInt8]) { self.picture = .bytes(picture) }

  /// What the members of an entry hold is known by its form: servers put base64, links and `data:` URLs into either. A link
  /// beside an error leads to its explanation.
  private static func picture(in entry: JSONValue, of body: AnswerBody) -> Picture? {
    let takesLinks = !ServerRefusal.states(["error", "errors"], in: entry)
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
    /// Something that was not asked for.
    case other(AnswerShape)
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
  /// How a body that looks like events begins.
  private var beginning: [UInt8] = []
  /// What the last event said besides its progress: an error if nothing follows it.
  private var refusal: JSONValue?
  /// What the events are, if they are none of a picture.
  private var shape: AnswerShape?
  /// Whether the finished picture has come: nothing that follows takes it back.
  private var isCompleted = false
  /// Whether the picture came in one of the pieces of a stream whose last one alone is the finished picture.
  private var isOfChunks = false
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
      if isEvent { beginning = Array(begun.prefix(1024)) }
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

  /// - Parameter status: the HTTP status of the answer.
  /// - Returns: the answer, once everything is received; without an image if the server made none.
  mutating func finish(status: Int = 200) throws(Problem) -> OpenAIAnswer {
    if case .events(var parser) = form {
      try takeLast(&parser)
      if let answer { return answer }
      if let refusal { throw .refused(refusal) }
      if let shape { throw .other(shape) }
      if hasEvents { throw .incomplete }
      if !isOfEvents, let shape = AnswerShape(text: beginning) { throw .other(shape) }
      throw .unreadable
    }
    guard let read = Self.read(body) else {
      if case .picture = RecognisedContent(of: body) { return OpenAIAnswer(picture: body) }
      if let shape = AnswerShape(text: body) { throw .other(shape) }
      throw .unreadable
    }
    if Self.isUnfinished(read.json, types: []) { throw .incomplete }
    // A picture that is there has been paid for, whatever else is said.
    let answer = OpenAIAnswer(read)
    if answer.picture != nil { return answer }
    if let refusal = ServerRefusal.refusal(in: read.json) { throw .refused(refusal) }
    if let shape = AnswerShape(read.json, status: status) { throw .other(shape) }
    guard read.json.object != nil else { throw .unreadable }
    return answer
  }

  /// Whether the body begins as a stream of events does, not as words.
  private var isOfEvents: Bool {
    [":", "data:", "event:", "id:", "retry:"].contains { beginning.starts(with: $0.utf8) }
  }

  /// Takes the last event of a stream that ended without the empty line behind it. It has been paid for if it is whole,
  /// which its JSON shows; one that is cut off says nothing.
  private mutating func takeLast(_ parser: inout ServerSentEventParser) throws(Problem) {
    let last: ServerSentEvent?
    do throws(ServerSentEventParser.EventTooLarge) { last = try parser.finish() } catch { throw .tooLarge }
    guard let last else { return }
    hasEvents = true
    if last.data == "[DONE]" || Self.read(Array(last.data.utf8)) != nil { try take(last) }
  }

  /// The answer with its finished picture, if that has come, although the stream may not have ended.
  var completedAnswer: OpenAIAnswer? { isCompleted ? answer : nil }

  /// The answer that has come whole although the connection broke off: an object or a picture that ends, or the event of
  /// the finished picture. One of unfinished pictures would be taken for the finished one.
  mutating func answerDespiteBreak() -> OpenAIAnswer? {
    switch form {
    case .undecided: return nil
    case .object:
      guard let answer = try? finish(), let picture = answer.picture else { return nil }
      if case .bytes(let bytes) = picture, (try? ReceivedPicture(bytes)) == nil { return nil }
      return answer
    case .events(var parser):
      try? takeLast(&parser)
      return isCompleted || !isOfChunks ? answer.flatMap { $0.picture == nil ? nil : $0 } : nil
    }
  }

  private mutating func take(_ event: ServerSentEvent) throws(Problem) {
    hasEvents = true
    if event.data == "[DONE]" {
      isCompleted = isCompleted || answer?.picture != nil
      return
    }
    let name = event.type == "message" ? nil : event.type
    guard let read = Self.read(Array(event.data.utf8)) else {
      if isCompleted { return }
      guard name.map(Self.nameUnfinished) == true else { throw .unreadable }
      partialImages += 1
      return
    }
    // What the JSON says of itself counts before the name of the event, which gateways choose.
    try take(read, types: [read.json["type"]?.statedText, name].compactMap(\.self))
  }

  /// Whether the picture in an event is a preview of the one that is asked for.
  private static func isUnfinished(_ json: JSONValue, types: [String]) -> Bool {
    let parts = [json] + (json["data"]?.array ?? [json["data"] ?? .null])
    if parts.contains(where: { $0["partial_image_index"]?.isStated == true }) { return true }
    let types = [json["type"]?.statedText].compactMap(\.self) + types
    return types.first { nameUnfinished($0) || $0.hasSuffix(".completed") }.map(nameUnfinished) ?? false
  }

  private static func nameUnfinished(_ type: String) -> Bool {
    ["partial", "preview", "intermediate"].contains(where: type.lowercased().contains)
  }

  private mutating func take(_ event: AnswerBody, types: [String]) throws(Problem) {
    if Self.isUnfinished(event.json, types: types) {
      partialImages += 1
      return
    }
    var found = OpenAIAnswer(event)
    let isLast = types.contains { $0.hasSuffix(".completed") }
    let isFailure = types.contains { $0.hasSuffix("error") || $0.hasSuffix("failed") }
    if isFailure, case .link = found.picture { found.picture = nil }
    if found.picture != nil {
      // Servers with other event names send the image last.
      answer = found
      isCompleted = isCompleted || isLast
      isOfChunks = event.json["object"]?.string.map { $0.hasPrefix("image") && $0.hasSuffix(".chunk") } ?? false
      return
    }
    if isCompleted { return }
    let stated = ServerRefusal.refusal(in: event.json)
    if isFailure || stated?["error"]?.isStated == true { throw .refused(stated ?? event.json) }
    refusal = types.isEmpty || isLast ? stated : nil
    shape = AnswerShape(event.json) ?? shape
    guard isLast else { return }
    // The event that ends a stream may tell the counts alone, after the picture.
    found.picture = answer?.picture
    isCompleted = found.picture != nil
    if isCompleted || stated == nil { answer = found }
  }

  private static func read(_ bytes: [UInt8]) -> AnswerBody? { AnswerBody(bytes, maximumValues: 100_000) }
}
