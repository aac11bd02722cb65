import Encodings
import JSON

/// Makes the answer to a good request of the Images API.
struct OpenAIReplyMaker {
  var parameters: OpenAIParameters
  var facts: RequestFacts
  var request: ReceivedRequest
  var step: ScenarioStep
  var options: SimulatorOptions

  private var fault: OpenAIFault? {
    if case .openAI(let fault)? = step.fault { fault } else { nil }
  }

  private var headers: [HeaderField] {
    [
      HeaderField("Content-Type", "application/json"), HeaderField("x-request-id", "req_simulated\(request.id)"),
      HeaderField("openai-processing-ms", "\(step.latencyMilliseconds ?? options.latencyMilliseconds)"),
    ]
  }

  var answer: HTTPAnswer {
    if let error = fault?.error { return error.answer }
    if case .error(let fault)? = step.fault { return fault.openAIAnswer }
    if let response = step.response {
      return HTTPAnswer(status: response.status, headers: response.headers, body: response.body)
    }
    let whole = self.whole
    if case .answer(let fault)? = step.fault, let broken = fault.brokenBody(whole) { return broken }
    guard parameters.isStream else {
      return HTTPAnswer(status: 200, headers: headers, body: whole.serialized())
    }
    var answer = HTTPAnswer(status: 200, headers: [HeaderField("Content-Type", "text/event-stream")], body: [])
    answer.body = .pieces(events)
    return answer
  }

  // MARK: Pictures

  private var size: PictureSize { parameters.size ?? PictureSize(width: 1024, height: 1024) }

  private func encodedPicture(_ index: Int) -> String {
    let picture = Picture(
      marker: PictureMarker(prompt: parameters.prompt, request: request.id, index: index),
      size: size.divided(by: options.pictureScale))
    let bytes =
      switch parameters.format {
      case "jpeg": picture.jpeg()
      case "webp": picture.webp()
      default: (step.imageBytes ?? options.imageBytes).map { picture.png(bytes: $0) } ?? picture.png()
      }
    return broken(bytes)
  }

  private func broken(_ bytes: [UInt8]) -> String {
    guard case .answer(let fault)? = step.fault else { return Base64.encoded(bytes) }
    let text = fault == .urlSafeBase64 ? Base64URL.encoded(bytes) : Base64.encoded(bytes)
    switch fault {
    case .truncatedBase64: return String(text.prefix(text.utf8.count / 8 * 4 + 1))
    case .invalidBase64: return String(text.prefix(40)) + "!*#" + String(text.dropFirst(43))
    case .unpaddedBase64: return String(text.prefix { $0 != "=" })
    case .truncatedPicture, .truncatedJPEG: return Base64.encoded(bytes.dropLast(30))
    case .notAnImage: return Base64.encoded(Array("This is no picture.".utf8))
    case .emptyImage: return ""
    default: return text
    }
  }

  private var data: [JSONValue] {
    let count = fault == .fewer ? parameters.count - 1 : parameters.count
    return (0..<count).map { index in
      let url = JSONValue.string("http://127.0.0.1/generated-images/\(request.id)-\(index).png")
      return switch fault {
      case .url: ["url": url]
      case .urlAndData: ["url": url, "b64_json": nil]
      default: ["b64_json": .string(encodedPicture(index))]
      }
    }
  }

  // MARK: Bodies

  private static let created: JSONValue = 1_795_000_000

  private func facts(of body: inout JSONObject) {
    body["size"] = .string("\(size.width)x\(size.height)")
    body["quality"] = .string(parameters.quality == "auto" ? "high" : parameters.quality)
    body["background"] = .string(parameters.background == "auto" ? "opaque" : parameters.background)
    body["output_format"] = .string(parameters.format)
  }

  private var usage: JSONValue {
    let text = (parameters.prompt.utf8.count + 3) / 4
    let images = facts.images.count * 323
    let output = 4160 * parameters.count
    func count(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
    return [
      "input_tokens": count(text + images),
      "input_tokens_details": ["image_tokens": count(images), "text_tokens": count(text)],
      "output_tokens": count(output), "total_tokens": count(text + images + output),
    ]
  }

  private var whole: JSONValue {
    var body: JSONObject = ["created": Self.created]
    facts(of: &body)
    switch fault {
    case .noData: break
    case .emptyData: body["data"] = []
    default: body["data"] = .array(data)
    }
    if case .answer(.noUsage)? = step.fault {} else { body["usage"] = usage }
    return .object(body)
  }

  /// As many partial pictures as asked for, then the whole one.
  private var events: [[UInt8]] {
    let kind = request.operation == .imageEdit ? "image_edit" : "image_generation"
    var events = (0..<parameters.partialImages).map { index in
      event("\(kind).partial_image", picture: 1000 + index, ["partial_image_index": .number(JSONNumber(index))])
    }
    if fault == .streamError {
      let error: JSONValue = [
        "type": "error",
        "error": ["type": "server_error", "code": "server_error", "message": "The server had an error."],
      ]
      events.append(Array("event: error\ndata: \(error.serializedText)\n\n".utf8))
    } else {
      for index in 0..<parameters.count {
        events.append(event("\(kind).completed", picture: index, ["usage": usage]))
      }
    }
    return events
  }

  private func event(_ type: String, picture: Int, _ more: JSONObject) -> [UInt8] {
    var body: JSONObject = ["type": .string(type), "created_at": Self.created]
    facts(of: &body)
    body["b64_json"] = .string(encodedPicture(picture))
    for (key, value) in more { body[key] = value }
    return Array("event: \(type)\ndata: \(JSONValue.object(body).serializedText)\n\n".utf8)
  }
}

extension ErrorFault {
  /// The same error as OpenAI's API has it; what is no JSON stays as it is.
  fileprivate var openAIAnswer: HTTPAnswer {
    switch self {
    case .emptyBody, .badGateway, .tooLarge: return answer(model: "")
    default:
      let error = Self.error(model: "gpt-image-2", self)
      let type = error.code >= 500 ? "server_error" : "invalid_request_error"
      return OpenAIError(self == .insideSuccess ? 200 : error.code, error.message, type: type).answer
    }
  }
}
