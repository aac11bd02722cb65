import JSON

/// Answers requests of OpenAI's Chat Completions API, as far as conversations about places need it.
enum ChatService {
  static let models = ["gpt-5.4-mini", "gpt-5.4-nano"]

  private static let parameters: Set = [
    "model", "messages", "tools", "tool_choice", "temperature", "seed", "parallel_tool_calls", "max_completion_tokens",
    "user",
  ]

  static func complete(_ request: ReceivedRequest, _ options: SimulatorOptions) throws(HTTPAnswer) -> HTTPAnswer {
    guard let json = (try? request.json())?.object else {
      throw .openAIError(400, "We could not parse the JSON body of your request.")
    }
    var facts = RequestFacts()
    facts.json = .object(json)
    let messages = json["messages"]?.array ?? []
    facts.turns = messages.count
    facts.prompt = messages.last { $0["role"]?.string == "user" }?["content"]?.string ?? ""
    defer { (request.facts, request.model) = (facts, json["model"]?.string) }
    for name in json.keys where !parameters.contains(name) {
      throw .openAIRefusal("Unknown parameter: '\(name)'.", name, "unknown_parameter")
    }
    let model = json["model"]?.string ?? ""
    guard options.isLocalServer || models.contains(model) else {
      throw .openAIError(
        404, "The model `\(model)` does not exist or you do not have access to it.", code: "model_not_found")
    }
    var script = PlacesScript(
      prompt: "", earlier: [], turns: 0, userTexts: 0, mayCall: json["tool_choice"]?.string != "none")
    try read(messages, into: &script)
    do {
      try request.step.apply(prompt: script.prompt)
    } catch {
      throw .openAIError(400, error.description)
    }
    if let error = request.step.fault?.openAIErrorAnswer(model: model) { return error }
    if let response = request.step.response { return response.answer }
    script.fault = request.step.toolFault
    let next: PlacesScript.Next = json["tools"] == nil ? .text("This is simulated text.") : script.next()
    return answer(next, model: model, id: request.id, promptBytes: request.body.readableBytes)
  }

  private static func read(_ messages: [JSONValue], into script: inout PlacesScript) throws(HTTPAnswer) {
    var open: [(id: String, arguments: JSONObject)] = []
    for message in messages {
      switch message["role"]?.string {
      case "system", "developer": break
      case "user":
        script.userTexts += 1
        script.prompt += message["content"]?.string ?? ""
      case "assistant":
        script.turns += 1
        open = (message["tool_calls"]?.array ?? []).map { call in
          let text = call["function"]?["arguments"]?.string ?? ""
          return (call["id"]?.string ?? "", (try? JSONValue(parsing: Array(text.utf8)))?.object ?? [:])
        }
        continue
      case "tool":
        let id = message["tool_call_id"]?.string
        guard let index = open.firstIndex(where: { $0.id == id }) else {
          throw .openAIError(400, "No tool call found for tool_call_id '\(id ?? "")'.", param: "messages")
        }
        let text = message["content"]?.string ?? ""
        script.earlier.append(
          .init(
            arguments: open.remove(at: index).arguments,
            result: (try? JSONValue(parsing: Array(text.utf8))) ?? .string(text)))
        continue
      default: throw .openAIError(400, "Invalid value: '\(message["role"]?.string ?? "")'.", param: "messages")
      }
      guard open.isEmpty else { throw unanswered }
    }
    guard open.isEmpty else { throw unanswered }
  }

  private static let unanswered = HTTPAnswer.openAIError(
    400,
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
    param: "messages")

  private static func answer(_ next: PlacesScript.Next, model: String, id: Int, promptBytes: Int) -> HTTPAnswer {
    var message: JSONObject = ["role": "assistant", "content": .null, "refusal": .null]
    var finish = "stop"
    switch next {
    case .text(let text): message["content"] = .string(text)
    case .calls(let calls):
      finish = "tool_calls"
      message["tool_calls"] = .array(
        calls.enumerated().map { position, call in
          [
            "id": .string("call_\(id)_\(position)"), "type": "function",
            "function": [
              "name": .string(call.name), "arguments": .string(call.arguments.string ?? call.arguments.serializedText),
            ],
          ]
        })
    }
    let (input, output) = ((promptBytes + 3) / 4, 40)
    return .json([
      "id": .string("chatcmpl-simulated\(id)"), "object": "chat.completion", "created": 1_795_000_000,
      "model": .string(model),
      "choices": [["index": 0, "message": .object(message), "logprobs": .null, "finish_reason": .string(finish)]],
      "usage": [
        "prompt_tokens": JSONValue(input), "completion_tokens": JSONValue(output),
        "total_tokens": JSONValue(input + output),
      ],
    ])
  }
}
