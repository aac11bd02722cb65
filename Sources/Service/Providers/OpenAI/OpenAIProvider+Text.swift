import AtelierProtocol
import Credentials
import CurlHTTP
import JSON

extension OpenAIProvider: TextProvider {
  /// The largest answer in words, in bytes.
  private static let mostBytes = 8 << 20

  public func answer(_ request: TextRequest, sending: @escaping @Sendable () -> Void) async throws -> TextAnswer {
    let key = try await key()
    let model = request.model ?? settings.cloud.textModel
    var limits = settings.cloud.limits(totalMs: request.timeoutMs)
    limits.responseBytes = Self.mostBytes
    let call = HTTPRequest(
      .post, server.url("chat/completions"),
      headers: headers(key) + [HTTPHeader("Content-Type", "application/json")],
      body: Self.body(of: request, model: model).serialized(), limits: limits)
    let response: HTTPResponse
    do {
      response = try await http.perform(call, takesPieces: false) { if $0 == .connected { sending() } }
    } catch let error as HTTPError {
      try Task.checkCancellation()
      throw AtelierError(error, provider: id)
    }
    try Task.checkCancellation()
    let context = ServerRefusal.Context(
      key: key, model: model, hasPictures: false, isOfWords: true, prompt: request.spokenWords)
    guard (200..<300).contains(response.status) else { throw ServerRefusal(response).error(context) }
    guard let json = try? JSONValue(parsing: response.body.span, maximumValues: 200_000) else {
      if let shape = AnswerShape(text: response.body) {
        throw AtelierError.unexpectedAnswer(shape, status: response.status, from: id)
      }
      throw AtelierError.withoutAnswer("malformed_response", provider: id)
    }
    do throws(AtelierError) {
      return try OpenAITextAnswer(json).answer(model: model, prices: prices)
    } catch {
      // An answer that is there has been paid for; in the place of one that says nothing, the error beside it is told.
      guard error.kind != .contentBlocked else { throw error }
      if let refusal = ServerRefusal.refusal(in: json) {
        throw ServerRefusal(inAnswer: refusal, headers: response.headers).error(context)
      }
      if let shape = AnswerShape(json, status: response.status), shape != .chatCompletion {
        throw AtelierError.unexpectedAnswer(shape, status: response.status, from: id)
      }
      throw error
    }
  }

  /// The body of `chat/completions` for a conversation.
  static func body(of request: TextRequest, model: String) -> JSONValue {
    var body: JSONObject = [
      "model": .string(model),
      "messages": .array(
        [["role": "system", "content": .string(request.instructions)]] + request.messages.flatMap(messages)),
    ]
    if !request.functions.isEmpty {
      body["tools"] = .array(
        request.functions.map { function in
          [
            "type": "function",
            "function": [
              "name": .string(function.name), "description": .string(function.description),
              "parameters": function.schema,
            ],
          ]
        })
      body["tool_choice"] = request.mayCall ? "auto" : "none"
    }
    body["temperature"] = request.temperature.flatMap { JSONNumber($0) }.map(JSONValue.number)
    body["seed"] = request.seed.map { .number(JSONNumber($0)) }
    return .object(body)
  }

  private static func messages(_ message: TextMessage) -> [JSONValue] {
    switch message {
    case .user(let text): [["role": "user", "content": .string(text)]]
    case .model(let turn): [turn]
    case .results(let results):
      results.map { result in
        [
          "role": "tool", "tool_call_id": .string(result.call.id ?? ""),
          "content": .string(JSONValue.object(result.response).serializedText),
        ]
      }
    }
  }
}

/// The message of a chat completion, parsed leniently: every member may be missing.
struct OpenAITextAnswer {
  private let message: JSONObject
  private let text: String
  private let calls: [FunctionCall]
  private let json: JSONValue

  /// - Throws: `content_blocked` for a refusal; `provider_error` for a message that says nothing.
  init(_ json: JSONValue) throws(AtelierError) {
    self.json = json
    let choice = json["choices"]?.array?.first
    let finish = choice?["finish_reason"]?.statedText
    message = choice?["message"]?.object ?? [:]
    text = Self.text(message["content"])
    calls = (message["tool_calls"]?.array ?? []).map(Self.call)
    if finish == "content_filter" || calls.isEmpty && message["refusal"]?.statedText != nil {
      throw AtelierError(.contentBlocked, AtelierError.blockedWords, provider: .openai, details: ["reason": "safety"])
    }
    guard !calls.isEmpty || text.contains(where: { !$0.isWhitespace }) else {
      throw .withoutAnswer(finish == "length" ? "truncated" : "empty_answer", provider: .openai)
    }
  }

  /// Some servers send the content in parts.
  private static func text(_ content: JSONValue?) -> String {
    content?.string ?? (content?.array ?? []).compactMap { $0["text"]?.string }.joined()
  }

  /// The arguments are JSON in a string; some servers send the object itself.
  private static func call(_ json: JSONValue) -> FunctionCall {
    let arguments = json["function"]?["arguments"]
    let parsed = arguments?.string.flatMap(Self.value) ?? arguments
    return FunctionCall(
      id: json["id"]?.string, name: json["function"]?["name"]?.string ?? "",
      arguments: arguments?.string == "" ? [:] : parsed?.object)
  }

  private static func value(in text: String) -> JSONValue? {
    let bytes = Array(text.utf8)
    // Arguments are small; the limit keeps hostile ones from filling the memory.
    return try? JSONValue(parsing: bytes.span, maximumValues: 10_000)
  }

  /// The message to send back: what servers accept of it, each member as it came.
  private var turn: JSONValue {
    var turn: JSONObject = ["role": "assistant", "content": message["content"] ?? .null]
    if !calls.isEmpty { turn["tool_calls"] = message["tool_calls"] }
    return .object(turn)
  }

  /// - Parameter model: the one that was asked.
  func answer(model: String, prices: PriceTable) -> TextAnswer {
    func count(_ name: String) -> Int? {
      // No conversation has as many tokens: a larger count is invalid.
      json["usage"]?[name]?.int64.flatMap { (0...10_000_000).contains($0) ? Int($0) : nil }
    }
    let (input, output) = (count("prompt_tokens"), count("completion_tokens"))
    let version = json["model"]?.string.flatMap { CloudSettings.isModelName($0) ? $0 : nil }
    let cost =
      input == nil && output == nil
      ? nil
      : prices.cost(
        model: prices.pricedModel(version, asked: model), tokens: TokenCounts(textInput: input, textOutput: output),
        images: 0, size: nil)
    return TextAnswer(
      text: text, calls: calls, turn: turn, model: version ?? model,
      usage: Usage(inputTokens: input ?? 0, outputTokens: output ?? 0, costUsd: cost))
  }
}
