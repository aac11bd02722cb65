import Encodings
import JSON

/// Answers requests of the Gemini API.
struct GeminiService: Sendable {
  let options: SimulatorOptions

  /// Answers `generateContent` and `streamGenerateContent`.
  func generate(_ request: ReceivedRequest, model: String, isStream: Bool) -> GeneratedAnswer {
    var facts = RequestFacts()
    do {
      try Self.check(request.target)
      let json = try Self.json(of: request)
      guard let model = GeminiModel.byID[model] else {
        let method = isStream ? "streamGenerateContent" : "generateContent"
        throw GeminiError.noSuchModel(model, version: request.target.version, method: method)
      }
      var content = try GeminiRequest(
        ProtoReader.read(json, as: "GenerateContentRequest"), model: model, facts: &facts)
      content.facts = facts
      let step = try PromptMarkers.apply(facts.prompt, to: request.step)
      let maker = GeminiReplyMaker(request: content, id: request.id, step: step, options: options)
      let answer = answer(maker, isStream ? Stream(request.target) : nil)
      return GeneratedAnswer(answer: answer, facts: facts, step: step)
    } catch let error as ScenarioError {
      return refusal(.invalidArgument(error.description), facts, request)
    } catch let error as GeminiError {
      return refusal(error, facts, request)
    } catch {
      return refusal(GeminiError(500, .internalError, "The simulator failed."), facts, request)
    }
  }

  private func refusal(_ error: GeminiError, _ facts: RequestFacts, _ request: ReceivedRequest) -> GeneratedAnswer {
    GeneratedAnswer(answer: error.answer, facts: facts, step: request.step, isAccepted: false)
  }

  private static let parameters: Set = [
    "key", "alt", "$alt", "prettyPrint", "$prettyPrint", "fields", "$fields", "quotaUser", "callback", "$callback",
    "access_token", "oauth_token", "uploadType", "upload_protocol", "$.xgafv",
  ]

  private static func check(_ target: RequestTarget) throws(GeminiError) {
    let unknown = target.query.map(\.name).filter { !parameters.contains($0) }
    guard unknown.isEmpty else {
      throw .badRequest(
        unknown.map { name in
          (
            name,
            "Invalid JSON payload received. Unknown name \"\(name)\": Cannot bind query parameter. "
              + "Field '\(name)' could not be found in request message."
          )
        })
    }
  }

  private static func json(of request: ReceivedRequest) throws(GeminiError) -> JSONValue {
    let type = request.head.headers.first(name: "Content-Type") ?? "application/json"
    guard type.lowercased().prefix(while: { $0 != ";" && $0 != " " }) == "application/json" else {
      throw .badRequest([("", "Invalid JSON payload received. The Content-Type is \(type), not application/json.")])
    }
    do {
      return try JSONValue(parsing: request.body.readableBytesUInt8Span)
    } catch {
      throw .badRequest([("", "Invalid JSON payload received. \(error.message)")])
    }
  }

  // MARK: Forms of an answer

  /// How a stream is written.
  private enum Stream {
    case events
    /// Without `alt=sse`: one array, an element at a time.
    case array

    init(_ target: RequestTarget) { self = target.queryValue("alt") == "sse" ? .events : .array }
  }

  private func answer(_ maker: GeminiReplyMaker, _ stream: Stream?) -> HTTPAnswer {
    switch maker.step.fault {
    case .error(let fault)?: return fault.answer(model: maker.request.model.id)
    case .openAI(let fault)? where fault.error != nil: return fault.error?.answer ?? .json([:])
    case .answer(let fault)?:
      if let answer = fault.brokenBody(maker.reply().whole) { return answer }
    default: break
    }
    if let response = maker.step.response {
      return HTTPAnswer(status: response.status, headers: response.headers, body: response.body)
    }
    guard let stream else { return .json(maker.reply().whole) }
    let events = maker.reply().events
    switch stream {
    case .events:
      var fault: StreamFault?
      if case .stream(let named)? = maker.step.fault { fault = named }
      var answer = HTTPAnswer(status: 200, headers: HTTPAnswer.googleHeaders("text/event-stream"), body: [])
      answer.body = .pieces(EventStream(fault: fault).pieces(events.map { $0.serializedText }))
      return answer
    case .array:
      var answer = HTTPAnswer(
        status: 200, headers: HTTPAnswer.googleHeaders("application/json; charset=UTF-8"), body: [])
      answer.body = .pieces(Self.arrayPieces(events))
      return answer
    }
  }

  private static func arrayPieces(_ events: [JSONValue]) -> [[UInt8]] {
    events.enumerated().map { index, event in
      Array((index == 0 ? "[" : ",\r\n").utf8) + event.serialized() + (index == events.count - 1 ? Array("]".utf8) : [])
    }
  }

  // MARK: Models

  /// Answers ListModels, a page at a time.
  func listModels(_ target: RequestTarget) -> HTTPAnswer {
    let models = GeminiModel.all
    let size = target.queryValue("pageSize").map { Int($0) ?? -1 } ?? 50
    guard 0...1000 ~= size else {
      return GeminiError.invalidArgument("* ListModelsRequest.page_size: must be between 0 and 1000\n").answer
    }
    var start = 0
    if let token = target.queryValue("pageToken"), !token.isEmpty {
      guard let place = Base64.decodedLeniently(token).flatMap({ Int(String(decoding: $0.bytes, as: UTF8.self)) }),
        models.indices.contains(place)
      else { return GeminiError.invalidArgument("page_token is invalid").answer }
      start = place
    }
    let end = min(models.count, start + (size == 0 ? 50 : size))
    var json: JSONObject = ["models": .array(models[start..<end].map(\.json))]
    if end < models.count {
      json["nextPageToken"] = .string(Base64URL.encoded(Array(String(end).utf8)))
    }
    return .json(.object(json))
  }

  func model(_ id: String, _ target: RequestTarget) -> HTTPAnswer {
    if let model = GeminiModel.byID[id] { return .json(model.json) }
    return GeminiError(
      404, .notFound, "Model is not found: models/\(id) for api version \(target.version)"
    ).answer
  }
}
