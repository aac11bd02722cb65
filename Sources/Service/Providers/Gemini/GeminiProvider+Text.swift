import AtelierProtocol
import Credentials
import CurlHTTP
import JSON

extension GeminiProvider: TextProvider {
  public func answer(_ request: TextRequest, sending: @escaping @Sendable () -> Void) async throws -> TextAnswer {
    let model = try textModel(request.model)
    let key = try await key()
    let body = Self.body(of: request)
    let call = HTTPRequest(
      .post, settings.url("models/\(model.name):generateContent"),
      headers: headers(key) + [
        HTTPHeader("Content-Type", "application/json"),
        HTTPHeader("X-Server-Timeout", String(max(1, (request.timeoutMs + 999) / 1000))),
      ],
      body: body.serialized(), limits: settings.limits(totalMs: request.timeoutMs))
    let response = try await perform(call) { if $0 == .connected { sending() } }
    try Task.checkCancellation()
    let reading = GeminiReading(
      key: key, model: model.name, sentBytes: call.body?.count ?? 0, hasPictures: false, prompt: request.spokenWords)
    return try reading.textAnswer(response).answer(model: model.name, prices: prices)
  }

  /// The model to converse with.
  /// - Parameter name: the one that was asked for; nil for the default.
  /// - Throws: `unsupported_by_provider` for a text that is no name of a model.
  func textModel(_ name: String?) throws(AtelierError) -> GeminiModel {
    if let model = GeminiModel(checking: name ?? settings.textModel) { return model }
    throw AtelierError(
      .unsupportedByProvider,
      "The name of a Gemini model has letters, digits, dots and dashes, as in \(settings.textModel).", provider: id)
  }

  /// The body of `generateContent` for a conversation (GEMINI 1.1, 1.2).
  static func body(of request: TextRequest) -> JSONValue {
    var body: JSONObject = [
      "systemInstruction": ["parts": [["text": .string(request.instructions)]]],
      "contents": .array(request.messages.map(content)),
    ]
    if !request.functions.isEmpty {
      let declarations = request.functions.map { function -> JSONValue in
        [
          "name": .string(function.name), "description": .string(function.description), "parameters": function.schema,
        ]
      }
      body["tools"] = [["functionDeclarations": .array(declarations)]]
      body["toolConfig"] = ["functionCallingConfig": ["mode": request.mayCall ? "AUTO" : "NONE"]]
    }
    var configuration: JSONObject = [:]
    configuration["temperature"] = request.temperature.flatMap { JSONNumber($0) }.map(JSONValue.number)
    configuration["seed"] = request.seed.map { .number(JSONNumber($0 & 0x7fff_ffff)) }
    if !configuration.isEmpty { body["generationConfig"] = .object(configuration) }
    return .object(body)
  }

  private static func content(_ message: TextMessage) -> JSONValue {
    switch message {
    case .user(let text): ["role": "user", "parts": [["text": .string(text)]]]
    case .model(let turn): turn
    case .results(let results):
      [
        "role": "user",
        "parts": .array(
          results.map { result in
            var response: JSONObject = ["name": .string(result.call.name), "response": .object(result.response)]
            response["id"] = result.call.id.map(JSONValue.string)
            return ["functionResponse": .object(response)]
          }),
      ]
    }
  }
}

/// The part of a successful response that continues a conversation: the first candidate that says or calls anything.
struct GeminiTextAnswer {
  private let text: String
  private let calls: [FunctionCall]
  private let turn: JSONValue
  private let usage: GeminiUsage?
  private let modelVersion: String?

  /// - Parameter key: removed from the texts of errors.
  /// - Throws: `AtelierError` for a response that is blocked or says nothing.
  init(_ response: GeminiResponse, hiding key: APIKey) throws(AtelierError) {
    for candidate in response.candidates where !candidate.finishReason.isRefusal {
      let parts = (candidate.content?["parts"]?.array ?? []).filter { $0["thought"]?.bool != true }
      let calls = parts.compactMap { $0["functionCall"]?.object }.map {
        FunctionCall(
          id: $0["id"]?.string, name: $0["name"]?.string ?? "",
          // Arguments may be left out where there are none.
          arguments: $0["args"] == nil ? [:] : $0["args"]?.object)
      }
      let text = parts.compactMap { $0["text"]?.string }.joined()
      guard !calls.isEmpty || text.contains(where: { !$0.isWhitespace }) else { continue }
      self.text = text
      self.calls = calls
      var content = candidate.content ?? [:]
      content["role"] = "model"
      content["parts"] = .array(parts)
      turn = .object(content)
      usage = response.usage
      modelVersion = response.modelVersion
      return
    }
    let reason = response.candidates.first { $0.finishReason != .stopped }?.finishReason
    if response.blockReason != nil || reason?.isRefusal == true {
      var refusal = GeminiRefusal(response, problem: nil).error(hiding: key)
      if refusal.sentence == ErrorKind.contentBlocked.sentence { refusal.sentence = AtelierError.blockedWords }
      throw refusal
    }
    throw .withoutAnswer(reason?.name ?? "empty_answer", provider: .gemini)
  }

  /// - Parameter model: the one that was asked.
  func answer(model: String, prices: PriceTable) -> TextAnswer {
    var counted = usage?.usage ?? Usage()
    let served = prices.pricedModel(modelVersion, asked: model)
    let tokens = TokenCounts(textInput: counted.inputTokens, textOutput: counted.outputTokens)
    counted.costUsd = usage == nil ? nil : prices.cost(model: served, tokens: tokens, images: 0, size: nil)
    return TextAnswer(text: text, calls: calls, turn: turn, model: modelVersion ?? model, usage: counted)
  }
}
