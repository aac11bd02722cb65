import Encodings
import JSON

/// The content of an answer to a request for content, before it is written as one object or as a stream of them.
struct GeminiReply: Sendable {
  /// Beside `parts`; nil for a candidate without content.
  var content: JSONObject? = ["role": "model"]
  /// Nil for no `parts` at all.
  var parts: [JSONValue]?
  var finish = FinishReason?.some(.stop)
  /// Further candidates, whole.
  var otherCandidates: [JSONValue] = []
  /// Nil for no `candidates` at all, false for an empty list.
  var hasCandidates: Bool? = true
  /// Of the root, beside the candidates.
  var rest: JSONObject

  /// All of it as one object.
  var whole: JSONValue { response(parts: parts, isLast: true) }

  /// The same as the events of a stream: each part by itself, then the end.
  var events: [JSONValue] {
    guard let parts, hasCandidates == true, !parts.isEmpty else { return [whole] }
    let pieces = parts.map { response(parts: [$0], isLast: false) }
    return finish == nil ? pieces : pieces + [response(parts: [["text": ""]], isLast: true)]
  }

  private func response(parts: [JSONValue]?, isLast: Bool) -> JSONValue {
    var candidate: JSONObject = ["index": 0]
    if var content {
      content["parts"] = parts.map(JSONValue.array)
      candidate["content"] = .object(content)
    }
    if isLast {
      candidate["finishReason"] = finish.map { .string($0.rawValue) }
      candidate["finishMessage"] = finish?.message.map(JSONValue.string)
    }
    let candidates = [.object(candidate)] + (isLast ? otherCandidates : [])
    var response = rest
    if let hasCandidates { response["candidates"] = .array(hasCandidates ? candidates : []) }
    return .object(response)
  }
}

/// Makes the content of an answer: good, unless a fault says otherwise.
struct GeminiReplyMaker {
  var request: GeminiRequest
  var prompt: String
  /// Of the request, for the marker.
  var id: Int
  var step: ScenarioStep
  var options: SimulatorOptions
  /// The parts of a turn in a conversation with functions; nil for every other answer.
  var turn: [JSONValue]?

  func reply() -> GeminiReply {
    switch step.fault {
    case .block(let reason):
      var rest = rest(imageTokens: 0, textTokens: 0, thoughtTokens: 0)
      rest["promptFeedback"] = ["blockReason": .string(reason.rawValue)]
      return GeminiReply(hasCandidates: nil, rest: rest)
    case .finish(let reason) where reason.bringsImage:
      return GeminiReply(parts: parts, finish: reason, rest: rest())
    case .finish(let reason):
      return GeminiReply(content: [:], finish: reason, rest: rest(imageTokens: 0, textTokens: 0))
    case .answer(let fault):
      var reply = GeminiReply(parts: parts, rest: rest())
      apply(fault, to: &reply)
      return reply
    default: return GeminiReply(parts: parts, rest: rest())
    }
  }

  // MARK: Parts

  private static let interimPicture = 1000

  func picture(_ index: Int) -> Picture {
    let isInterim = index == Self.interimPicture
    return Picture(
      marker: PictureMarker(prompt: prompt, request: id, index: index),
      size: request.pictureSize.divided(by: options.pictureScale),
      byteCount: isInterim ? nil : step.imageBytes, fault: isInterim ? nil : step.answerFault)
  }

  private var parts: [JSONValue] {
    if let turn { return turn }
    let isForced = step.answerFault == .thoughtImage || step.answerFault == .onlyThoughtImage
    let showsThoughts = isForced || request.wantsThoughts
    return (showsThoughts ? thoughts : []) + (request.wantsText ? [text] : [])
      + (request.wantsImage ? [picturePart(0)] : [])
  }

  /// Thoughts carry no signature (the API's rule); the interim picture is another than the final one.
  private var thoughts: [JSONValue] {
    let text: JSONValue = ["text": "**Considering the picture**\n\nI begin with the subject.", "thought": true]
    let data = JSONValue.picture(Self.interimPicture)
    let picture: JSONValue = ["inlineData": ["mimeType": "image/png", "data": data], "thought": true]
    return request.wantsImage ? [text, picture] : [text]
  }

  private var signs: Bool { request.model.needsSignatures && step.answerFault != .noSignatures }

  private var text: JSONValue {
    let text = request.wantsImage ? "Here is your picture." : "This is simulated text."
    var part: JSONObject = ["text": .string(text)]
    if signs { part["thoughtSignature"] = .string(Base64.encoded(ThoughtSignature(ofText: text).bytes())) }
    return .object(part)
  }

  /// The part that is a picture.
  private func picturePart(_ index: Int) -> JSONValue {
    let fault = step.answerFault
    if fault == .fileData {
      let uri = "https://generativelanguage.googleapis.com/v1beta/files/simulated-\(id)"
      return ["fileData": ["mimeType": "image/png", "fileUri": .string(uri)]]
    }
    let picture = picture(index)
    var blob: JSONObject = ["data": .picture(index)]
    if fault != .noMimeType { blob["mimeType"] = .string(picture.mimeType) }
    var part: JSONObject = ["inlineData": .object(blob)]
    if fault == .onlyThoughtImage {
      part["thought"] = true
    } else if signs {
      let signature = ThoughtSignature(ofImage: picture.bytes).bytes(filler: fault == .hugeSignature ? 1 << 20 : 37)
      part["thoughtSignature"] = .string(Base64.encoded(signature))
    }
    return .object(part)
  }

  // MARK: Beside the candidates

  private func rest(imageTokens: Int? = nil, textTokens: Int? = nil, thoughtTokens: Int? = nil) -> JSONObject {
    let pictureTokens = request.wantsImage ? request.model.imageTokens[request.imageSize] ?? 1290 : 0
    let (image, text) = (imageTokens ?? pictureTokens, textTokens ?? (request.wantsText ? 6 : 0))
    let thoughts = thoughtTokens ?? (request.model.thinkingLevels == nil ? 0 : 87)
    let prompt = request.textTokens + request.imageTokens
    func detail(_ modality: String, _ count: Int) -> [JSONValue] {
      count > 0 ? [["modality": .string(modality), "tokenCount": JSONValue(count)]] : []
    }
    var usage: JSONObject = [
      "promptTokenCount": JSONValue(prompt), "candidatesTokenCount": JSONValue(image + text),
      "totalTokenCount": JSONValue(prompt + image + text + thoughts),
      "promptTokensDetails": .array(detail("TEXT", request.textTokens) + detail("IMAGE", request.imageTokens)),
    ]
    if image > 0 { usage["candidatesTokensDetails"] = .array(detail("IMAGE", image)) }
    if thoughts > 0 { usage["thoughtsTokenCount"] = JSONValue(thoughts) }
    // Like the API's: letters that say nothing.
    let responseID = Base64URL.encoded("\(PictureMarker.fingerprint(of: self.prompt)),\(id)".utf8.suffix(15))
    return [
      "usageMetadata": .object(usage), "modelVersion": .string(request.model.id), "responseId": .string(responseID),
    ]
  }

  // MARK: Faults

  /// Changes the content of an answer as a fault demands; what concerns the picture alone is in ``Picture``.
  private func apply(_ fault: AnswerFault, to reply: inout GeminiReply) {
    switch fault {
    case .noImage: reply.parts = [text]
    case .noCandidates: reply.hasCandidates = nil
    case .emptyCandidates: reply.hasCandidates = false
    case .noContent: (reply.content, reply.parts) = (nil, nil)
    case .emptyContent: (reply.content, reply.parts) = ([:], nil)
    case .noParts: reply.parts = nil
    case .twoImages: reply.parts?.append(picturePart(1))
    case .twoCandidates:
      let content: JSONValue = ["role": "model", "parts": [picturePart(1)]]
      reply.otherCandidates = [["content": content, "finishReason": "STOP", "index": 1]]
    case .noFinishReason: reply.finish = nil
    case .noUsage: reply.rest["usageMetadata"] = nil
    case .noUsageDetails:
      reply.changeUsage { usage in (usage["promptTokensDetails"], usage["candidatesTokensDetails"]) = (nil, nil) }
    case .otherModelVersion: reply.rest["modelVersion"] = .string(request.model.id + "-002")
    case .unknownFields: reply.addUnknownFields()
    default: break
    }
    let hasNothing: Set<AnswerFault> = [.noImage, .noCandidates, .emptyCandidates, .noContent, .emptyContent, .noParts]
    if hasNothing.contains(fault) { reply.rest["usageMetadata"] = rest(imageTokens: 0)["usageMetadata"] }
  }
}

extension GeminiReply {
  fileprivate mutating func changeUsage(_ change: (inout JSONObject) -> Void) {
    var usage = rest["usageMetadata"]?.object ?? [:]
    change(&usage)
    rest["usageMetadata"] = .object(usage)
  }

  fileprivate mutating func addUnknownFields() {
    rest["somethingNew"] = ["nested": [1, 2, 3]]
    rest["modelStatus"] = ["modelStage": "SOMETHING_NEW", "message": "Retired some day."]
    content?["somethingNew"] = true
    let known = (parts ?? []).map { part in
      var part = part.object ?? [:]
      part["somethingNew"] = ["a": "b"]
      return JSONValue.object(part)
    }
    parts = [["somethingNew": ["data": "AAAA"]]] + known
    changeUsage { usage in
      usage["somethingNewTokenCount"] = 3
      usage["cacheTokensDetails"] = [["modality": "SOMETHING_NEW", "tokenCount": 3]]
    }
  }
}
