import Encodings
import JSON

/// Answers requests of the Gemini API.
enum GeminiService {
  /// Answers `generateContent` and `streamGenerateContent`.
  static func generate(_ request: ReceivedRequest, _ options: SimulatorOptions) throws(HTTPAnswer) -> HTTPAnswer {
    try checkQuery(request.target)
    let json = try json(of: request)
    let id = request.model ?? ""
    guard let model = GeminiModel.byID[id] else {
      throw .googleError(
        404,
        """
        models/\(id) is not found for API version \(request.target.version), or is not supported for \
        \(request.operation.rawValue). Call ListModels to see the list of available models and their supported methods.
        """)
    }
    var facts = RequestFacts()
    defer { request.facts = facts }
    let content = try GeminiRequest(
      ProtoReader.read(json, as: "GenerateContentRequest"), model: model, facts: &facts)
    do {
      try PromptMarkers.apply(facts.prompt, to: &request.step)
    } catch {
      throw .googleError(400, error.description)
    }
    let maker = GeminiReplyMaker(
      request: content, prompt: facts.prompt, id: request.id, step: request.step, options: options)
    return answer(maker, isStream: request.operation == .streamGenerateContent, request.target)
  }

  private static func answer(_ maker: GeminiReplyMaker, isStream: Bool, _ target: RequestTarget) -> HTTPAnswer {
    let step = maker.step
    if let fault = step.fault,
      let error = fault.entry.answer(model: maker.request.model.id, inGoogleStyle: step.openAIFault == nil)
    {
      return error
    }
    let reply = maker.reply()
    if let broken = step.answerFault?.brokenBody(reply.whole) { return broken }
    if let response = step.response { return response.answer }
    guard isStream else { return .google(reply.whole) }
    let events = reply.events
    // Without `alt=sse` it is one array, an element at a time.
    guard target.queryValue("alt") == "sse" else {
      return .stream(
        "application/json; charset=UTF-8",
        events.enumerated().map { index, event in
          Array((index == 0 ? "[" : ",\r\n").utf8) + event.serialized() + Array((index == events.count - 1 ? "]" : "").utf8)
        })
    }
    var fault: StreamFault?
    if case .stream(let named)? = step.fault { fault = named }
    return .stream("text/event-stream", EventStream(fault: fault).pieces(events.map(\.serializedText)))
  }

  // MARK: Reading

  private static let parameters: Set = [
    "key", "alt", "$alt", "prettyPrint", "$prettyPrint", "fields", "$fields", "quotaUser", "callback", "$callback",
    "access_token", "oauth_token", "uploadType", "upload_protocol", "$.xgafv",
  ]

  private static func checkQuery(_ target: RequestTarget) throws(HTTPAnswer) {
    let unknown = target.query.map(\.name).filter { !parameters.contains($0) }
    guard unknown.isEmpty else {
      throw .badRequest(
        unknown.map { name in
          let problem = "Cannot bind query parameter. Field '\(name)' could not be found in request message."
          return (name, "Invalid JSON payload received. Unknown name \"\(name)\": \(problem)")
        })
    }
  }

  private static func json(of request: ReceivedRequest) throws(HTTPAnswer) -> JSONValue {
    let type = request.header("Content-Type") ?? "application/json"
    guard type.lowercased().prefix(while: { $0 != ";" && $0 != " " }) == "application/json" else {
      throw .badRequest([("", "Invalid JSON payload received. The Content-Type is \(type), not application/json.")])
    }
    do {
      return try request.json()
    } catch {
      throw .badRequest([("", "Invalid JSON payload received. \(error.message)")])
    }
  }

  // MARK: Models

  /// Answers ListModels, a page at a time.
  static func listModels(_ target: RequestTarget) throws(HTTPAnswer) -> HTTPAnswer {
    let models = GeminiModel.all
    let size = target.queryValue("pageSize").map { Int($0) ?? -1 } ?? 50
    guard 0...1000 ~= size else {
      throw .googleError(400, "* ListModelsRequest.page_size: must be between 0 and 1000\n")
    }
    var start = 0
    if let token = target.queryValue("pageToken"), !token.isEmpty {
      let place = Base64.decodedLeniently(token).flatMap { Int(String(decoding: $0.bytes, as: UTF8.self)) }
      guard let place, models.indices.contains(place) else { throw .googleError(400, "page_token is invalid") }
      start = place
    }
    let end = min(models.count, start + (size == 0 ? 50 : size))
    var json: JSONObject = ["models": .array(models[start..<end].map(\.json))]
    if end < models.count { json["nextPageToken"] = .string(Base64URL.encoded(Array(String(end).utf8))) }
    return .google(.object(json))
  }

  static func model(_ request: ReceivedRequest) throws(HTTPAnswer) -> HTTPAnswer {
    let id = request.model ?? ""
    if let model = GeminiModel.byID[id] { return .google(model.json) }
    throw .googleError(404, "Model is not found: models/\(id) for api version \(request.target.version)")
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
    case .noFinish: return events.dropLast().map(event)
    case .done: return events.map(event) + [event("[DONE]")]
    case .notJSON: return [event(events[0]), event("{\"candidates\": [oops")] + events.dropFirst().map(event)
    case .comments:
      return [Array(": hello\n\n".utf8)] + events.map { Array(": still there\nevent: message\n".utf8) + event($0) }
    case .smallPieces:
      let bytes = Array(events.map(event).joined())
      return stride(from: 0, to: bytes.count, by: 7).map { Array(bytes[$0...].prefix(7)) }
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
}
