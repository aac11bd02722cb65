import JSONRPC

/// Makes the content of an answer: good, unless a fault says otherwise.
struct GeminiReplyMaker {
  var request: GeminiRequest
  /// Of the request, for the marker.
  var id: Int
  var step: ScenarioStep
  var options: SimulatorOptions

  private var answerFault: AnswerFault? {
    if case .answer(let fault)? = step.fault { fault } else { nil }
  }

  func reply() -> GeminiReply {
    switch step.fault {
    case .block(let reason)?: return blocked(reason)
    case .finish(let reason)? where !reason.bringsImage: return ended(reason)
    default: break
    }
    var reply = GeminiReply(content: ["role": "model"], parts: parts(), rest: [:])
    if case .finish(let reason)? = step.fault { reply.finishReason = reason.rawValue }
    reply.rest = rest(imageTokens: request.wantsImage ? pictureTokens : 0)
    if let answerFault { apply(answerFault, to: &reply) }
    return reply
  }

  // MARK: Parts

  private var showsThoughts: Bool {
    let isForced = answerFault == .thoughtImage || answerFault == .onlyThoughtImage
    return isForced || request.model.thinking != .none && (request.wantsThoughts || options.showsThoughts)
  }

  private func parts() -> [JSONValue] {
    var parts: [JSONValue] = showsThoughts ? thoughts() : []
    if request.wantsText { parts.append(text(isFirst: true)) }
    if request.wantsImage { parts.append(PicturePart(maker: self, index: 0).json) }
    return parts
  }

  /// Thoughts carry no signature (the API's rule); the interim picture is another than the final one.
  private func thoughts() -> [JSONValue] {
    var thoughts: [JSONValue] = [["text": "**Considering the picture**\n\nI begin with the subject.", "thought": true]]
    if request.wantsImage {
      let interim = picture(index: 1000).png()
      thoughts.append([
        "inlineData": ["mimeType": "image/png", "data": .string(Base64.encode(interim))], "thought": true,
      ])
    }
    return thoughts
  }

  func text(isFirst: Bool) -> JSONValue {
    let text = request.wantsImage ? "Here is your picture." : "This is simulated text."
    var part: JSONObject = ["text": .string(text)]
    if isFirst, request.model.needsSignatures, answerFault != .noSignatures {
      part["thoughtSignature"] = .string(Base64.encode(ThoughtSignature(ofText: text).bytes()))
    }
    return .object(part)
  }

  func picture(index: Int) -> Picture {
    Picture(
      marker: PictureMarker(prompt: request.facts.prompt, request: id, index: index),
      size: request.pictureSize.divided(by: options.pictureScale))
  }

  // MARK: Beside the candidates

  private var pictureTokens: Int { request.model.imageTokens[request.imageSize] ?? 1290 }

  func rest(imageTokens: Int, textTokens: Int? = nil, thoughtTokens: Int? = nil) -> JSONObject {
    var rest: JSONObject = ["usageMetadata": usage(imageTokens, textTokens, thoughtTokens)]
    rest["modelVersion"] = .string(request.model.id)
    rest["responseId"] = .string(responseID)
    return rest
  }

  /// Like the API's: letters that say nothing.
  private var responseID: String {
    Base64.encode(Array(PictureMarker(prompt: request.facts.prompt, request: id).text.utf8.suffix(15)), urlSafe: true)
  }

  private func usage(_ image: Int, _ text: Int?, _ thoughts: Int?) -> JSONValue {
    func count(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
    func detail(_ modality: String, _ value: Int) -> JSONValue {
      ["modality": .string(modality), "tokenCount": count(value)]
    }
    let textCount = text ?? (request.wantsText ? 6 : 0)
    let thoughtCount = thoughts ?? (request.model.thinking == .none ? 0 : 87)
    let prompt = request.textTokens + request.imageTokens
    var usage: JSONObject = [
      "promptTokenCount": count(prompt), "candidatesTokenCount": count(image + textCount),
      "totalTokenCount": count(prompt + image + textCount + thoughtCount),
    ]
    var promptDetails = [detail("TEXT", request.textTokens)]
    if request.imageTokens > 0 { promptDetails.append(detail("IMAGE", request.imageTokens)) }
    usage["promptTokensDetails"] = .array(promptDetails)
    if image > 0 { usage["candidatesTokensDetails"] = [detail("IMAGE", image)] }
    if thoughtCount > 0 { usage["thoughtsTokenCount"] = count(thoughtCount) }
    return .object(usage)
  }

  // MARK: Without a picture

  private func blocked(_ reason: BlockReason) -> GeminiReply {
    var rest: JSONObject = ["promptFeedback": ["blockReason": .string(reason.rawValue)]]
    for (key, value) in self.rest(imageTokens: 0, textTokens: 0, thoughtTokens: 0) { rest[key] = value }
    return GeminiReply(content: nil, parts: nil, hasCandidates: nil, rest: rest)
  }

  private func ended(_ reason: FinishReason) -> GeminiReply {
    GeminiReply(
      content: [:], parts: nil, finishReason: reason.rawValue, finishMessage: reason.message,
      rest: rest(imageTokens: 0, textTokens: 0))
  }
}
