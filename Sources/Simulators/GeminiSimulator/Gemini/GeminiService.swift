import JSON

/// Answers requests of the Gemini API.
enum GeminiService {
  /// Answers `generateContent` and `streamGenerateContent`.
  static func generate(_ request: ReceivedRequest, _ options: SimulatorOptions) throws(HTTPAnswer) -> HTTPAnswer {
    try checkQuery(request.target)
    let json = try json(of: request)
    let id = request.model ?? ""
    guard let model = SimulatedModel.byID[id] else {
      throw Fault.error(.model).errorAnswer(model: id) ?? .googleError(404, id)
    }
    var facts = RequestFacts()
    defer { request.facts = facts }
    let message = try ProtoReader.read(json, as: "GenerateContentRequest")
    let content = try GeminiRequest(message, model: model, facts: &facts)
    do {
      try request.step.apply(prompt: facts.prompt)
    } catch {
      throw .googleError(400, error.description)
    }
    var maker = GeminiReplyMaker(
      request: content, prompt: facts.prompt, id: request.id, step: request.step, options: options)
    if message["tools"]?.array?.contains(where: { $0["functionDeclarations"] != nil }) == true {
      maker.turn = try GeminiConversation(message, model: model, step: request.step).parts
    }
    return answer(maker, isStream: request.operation == .streamGenerateContent, request.target)
  }

  private static func answer(_ maker: GeminiReplyMaker, isStream: Bool, _ target: ReceivedTarget) -> HTTPAnswer {
    let step = maker.step
    if let error = step.fault?.errorAnswer(model: maker.request.model.id) { return error }
    func write(_ json: JSONValue) -> [UInt8] { json.serialized { maker.picture($0).base64 } }
    let reply = maker.reply()
    if let broken = step.answerFault?.brokenBody(reply.whole, write) { return broken }
    if let response = step.response { return response.answer }
    guard isStream else { return .json(write(reply.whole)) }
    let events = reply.events.map(write)
    // Without `alt=sse` it is one array, an element at a time.
    guard target.queryValue("alt") == "sse" else {
      let elements = events.enumerated().map { index, event in Array((index == 0 ? "[" : ",").utf8) + event }
      return .stream("application/json; charset=UTF-8", elements + [Array("]".utf8)])
    }
    let fault: StreamFault? = if case .stream(let fault)? = step.fault { fault } else { nil }
    return .stream("text/event-stream", EventStream(fault: fault).pieces(events))
  }

  // MARK: Reading

  private static let parameters: Set = [
    "key", "alt", "$alt", "prettyPrint", "$prettyPrint", "fields", "$fields", "quotaUser", "callback", "$callback",
    "access_token", "oauth_token", "uploadType", "upload_protocol", "$.xgafv",
  ]

  private static func checkQuery(_ target: ReceivedTarget) throws(HTTPAnswer) {
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
  static func listModels(_ target: ReceivedTarget) throws(HTTPAnswer) -> HTTPAnswer {
    let models = SimulatedModel.all
    let size = target.queryValue("pageSize").map { Int($0) ?? -1 } ?? 50
    guard 0...1000 ~= size else {
      throw .googleError(400, "* ListModelsRequest.page_size: must be between 0 and 1000\n")
    }
    let token = target.queryValue("pageToken") ?? ""
    // The token is the number of models on the pages before.
    guard let start = token.isEmpty ? 0 : Int(token), models.indices.contains(start) else {
      throw .googleError(400, "page_token is invalid")
    }
    let end = min(models.count, start + (size == 0 ? 50 : size))
    var json: JSONObject = ["models": .array(models[start..<end].map(\.json))]
    if end < models.count { json["nextPageToken"] = .string(String(end)) }
    return .json(.object(json))
  }

  static func model(_ request: ReceivedRequest) throws(HTTPAnswer) -> HTTPAnswer {
    let id = request.model ?? ""
    if let model = SimulatedModel.byID[id] { return .json(model.json) }
    throw .googleError(404, "Model is not found: models/\(id) for api version \(request.target.version)")
  }
}

/// Writes events as a server sends them (`text/event-stream`).
struct EventStream {
  var fault: StreamFault?

  /// - Parameter events: JSON, each on one line.
  /// - Returns: what to send, each element at once.
  func pieces(_ events: [[UInt8]]) -> [[UInt8]] {
    let good = events.map(event)
    switch fault {
    case .error: return [good[0], event(Self.overloaded)]
    case .bareError: return [good[0], Self.overloaded + Array("\n".utf8)]
    case .noFinish: return good.dropLast()
    case .done: return good + [event(Array("[DONE]".utf8))]
    case .notJSON: return [good[0], event(Array("{\"candidates\": [oops".utf8))] + good.dropFirst()
    case .comments: return [Array(": hello\n\n".utf8)] + good.map { Array(": still there\nevent: message\n".utf8) + $0 }
    case .smallPieces:
      let bytes = Array(good.joined())
      return stride(from: 0, to: bytes.count, by: 7).map { Array(bytes[$0...].prefix(7)) }
    case .carriageReturns, .manyLines, nil: return good
    }
  }

  private static let overloaded = Array(
    #"{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}"#.utf8)

  private func event(_ json: [UInt8]) -> [UInt8] {
    let end = fault == .carriageReturns ? "\r\n" : "\n"
    // A line may end after a brace that opens an object: white space is allowed there.
    let isSplit = fault == .manyLines && json.starts(with: "{".utf8)
    let opening = isSplit ? "data: {\(end)data: " : "data: "
    return Array(opening.utf8) + json.dropFirst(isSplit ? 1 : 0) + Array((end + end).utf8)
  }
}

extension HTTPAnswer {
  /// An error of the Gemini API: google.rpc.Status as JSON.
  static func googleError(_ code: Int, _ message: String, details: [JSONValue] = []) -> HTTPAnswer {
    let status = [401: "UNAUTHENTICATED", 404: "NOT_FOUND"][code] ?? "INVALID_ARGUMENT"
    var error: JSONObject = ["code": JSONValue(code), "message": .string(message), "status": .string(status)]
    if !details.isEmpty { error["details"] = .array(details) }
    return .json(status: code, ["error": .object(error)])
  }

  /// - Parameter violations: the field, with the names as proto has them, and what is wrong with it.
  static func badRequest(_ violations: [(field: String, description: String)]) -> HTTPAnswer {
    let list = violations.map { ["field": .string($0), "description": .string($1)] as JSONValue }
    return .googleError(
      400, violations.map(\.description).joined(separator: "\n"),
      details: [["@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": .array(list)]])
  }
}
