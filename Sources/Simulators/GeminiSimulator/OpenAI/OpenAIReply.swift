import JSON

/// Makes the answer to a good request of the Images API.
struct OpenAIReplyMaker {
  var parameters: OpenAIParameters
  /// How many pictures the request brought.
  var imageCount: Int
  /// What the events of a stream are called after.
  var kind: String
  /// Of the request, for the marker.
  var id: Int
  var step: ScenarioStep
  var options: SimulatorOptions

  var answer: HTTPAnswer {
    if let error = step.fault?.openAIErrorAnswer(model: "gpt-image-2") { return error }
    if let response = step.response { return response.answer }
    if let broken = step.answerFault?.brokenBody(whole, write) { return broken }
    if parameters.isStream { return .stream("text/event-stream", events) }
    var answer = HTTPAnswer.json(write(whole))
    answer.headers.append(HeaderField("x-request-id", "req_simulated\(id)"))
    return answer
  }

  // MARK: Pictures

  private var size: PictureSize { parameters.size ?? PictureSize(width: 1024, height: 1024) }

  /// Puts the pictures in.
  private func write(_ json: JSONValue) -> [UInt8] {
    json.serialized { index in
      Picture(
        marker: PictureMarker(prompt: parameters.prompt, request: id, index: index),
        size: size.divided(by: options.pictureScale),
        format: PictureEncoding(rawValue: "image/\(parameters.format)") ?? .png, byteCount: step.imageBytes,
        fault: step.answerFault
      ).base64
    }
  }

  private var data: [JSONValue] {
    let count = step.openAIFault == .fewer ? parameters.count - 1 : parameters.count
    return (0..<count).map { index in
      let url = JSONValue.string("http://127.0.0.1/generated-images/\(id)-\(index).png")
      return switch step.openAIFault {
      case .url: ["url": url]
      case .urlAndData: ["url": url, "b64_json": nil]
      default: ["b64_json": .picture(index)]
      }
    }
  }

  // MARK: Bodies

  private static let created: JSONValue = 1_795_000_000

  /// What every answer and event says of its pictures.
  private var description: JSONObject {
    [
      "size": .string("\(size.width)x\(size.height)"), "output_format": .string(parameters.format),
      "quality": .string(parameters.quality == "auto" ? "high" : parameters.quality),
      "background": .string(parameters.background == "auto" ? "opaque" : parameters.background),
    ]
  }

  private var usage: JSONValue {
    let (text, images, output) = (GeminiRequest.tokens(parameters.prompt), imageCount * 323, 4160 * parameters.count)
    return [
      "input_tokens": JSONValue(text + images),
      "input_tokens_details": ["image_tokens": JSONValue(images), "text_tokens": JSONValue(text)],
      "output_tokens": JSONValue(output), "total_tokens": JSONValue(text + images + output),
    ]
  }

  private var whole: JSONValue {
    var body = description
    body["created"] = Self.created
    switch step.openAIFault {
    case .noData: break
    case .emptyData: body["data"] = []
    default: body["data"] = .array(data)
    }
    if step.answerFault != .noUsage { body["usage"] = usage }
    return .object(body)
  }

  /// As many partial pictures as asked for, then the whole ones.
  private var events: [[UInt8]] {
    let partial = (0..<parameters.partialImages).map { index in
      event("partial_image", picture: 1000 + index, ["partial_image_index": JSONValue(index)])
    }
    guard step.openAIFault != .streamError else {
      let error = #"{"type":"server_error","code":"server_error","message":"The server had an error."}"#
      return partial + [Array("event: error\ndata: {\"type\":\"error\",\"error\":\(error)}\n\n".utf8)]
    }
    return partial + (0..<parameters.count).map { event("completed", picture: $0, ["usage": usage]) }
  }

  private func event(_ type: String, picture: Int, _ more: JSONObject) -> [UInt8] {
    let type = "\(kind).\(type)"
    var body = description
    (body["type"], body["created_at"], body["b64_json"]) = (.string(type), Self.created, .picture(picture))
    for (key, value) in more { body[key] = value }
    return Array("event: \(type)\ndata: ".utf8) + write(.object(body)) + Array("\n\n".utf8)
  }
}
