import Encodings
import JSON

/// The content of an answer to a request for content, before it is written as one object or as a stream of them.
struct GeminiReply: Sendable {
  /// Nil for a candidate without content.
  var content: JSONObject?
  /// Nil for no `parts` at all.
  var parts: [JSONValue]?
  var finishReason: String? = FinishReason.stop.rawValue
  var finishMessage: String?
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
    return finishReason == nil ? pieces : pieces + [response(parts: [["text": ""]], isLast: true)]
  }

  private func response(parts: [JSONValue]?, isLast: Bool) -> JSONValue {
    var response = JSONObject()
    switch hasCandidates {
    case true?: response["candidates"] = .array([candidate(parts, isLast: isLast)] + (isLast ? otherCandidates : []))
    case false?: response["candidates"] = []
    case nil: break
    }
    for (key, value) in rest where isLast || key != "promptFeedback" { response[key] = value }
    return .object(response)
  }

  private func candidate(_ parts: [JSONValue]?, isLast: Bool) -> JSONValue {
    var candidate = JSONObject()
    if var content {
      if let parts { content["parts"] = .array(parts) }
      candidate["content"] = .object(content)
    }
    if isLast, let finishReason { candidate["finishReason"] = .string(finishReason) }
    if isLast, let finishMessage { candidate["finishMessage"] = .string(finishMessage) }
    candidate["index"] = 0
    return .object(candidate)
  }
}

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
        "inlineData": ["mimeType": "image/png", "data": .string(Base64.encoded(interim))], "thought": true,
      ])
    }
    return thoughts
  }

  func text(isFirst: Bool) -> JSONValue {
    let text = request.wantsImage ? "Here is your picture." : "This is simulated text."
    var part: JSONObject = ["text": .string(text)]
    if isFirst, request.model.needsSignatures, answerFault != .noSignatures {
      part["thoughtSignature"] = .string(Base64.encoded(ThoughtSignature(ofText: text).bytes()))
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
    Base64URL.encoded(Array(PictureMarker(prompt: request.facts.prompt, request: id).text.utf8.suffix(15)))
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

/// The signatures that the simulator gives to parts of its answers, and knows again without remembering them.
///
/// A signature is computed from the part itself, so a part that comes back changed does not fit its signature.
struct ThoughtSignature: Sendable {
  private let digest: UInt64

  init(ofText text: String) { digest = Checksum.digest(Array(text.utf8)) }
  init(ofImage bytes: [UInt8]) { digest = ~Checksum.digest(bytes) }

  /// Encodes as `+//+`, which URL-safe base64 would change: a client that writes it anew gives itself away.
  private static let opening: [UInt8] = [0xFB, 0xFF, 0xFE]

  /// - Parameter count: how many bytes of it say nothing.
  func bytes(filler count: Int = 37) -> [UInt8] {
    var bytes = Self.opening
    bytes.reserveCapacity(11 + count)
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: digest >> UInt64(shift)))
    }
    var state = digest
    for _ in 0..<count {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      bytes.append(UInt8(truncatingIfNeeded: state >> 56))
    }
    return bytes
  }

  /// Whether a signature of whatever length is this one.
  func matches(_ other: [UInt8]) -> Bool { other.count >= 11 && other == bytes(filler: other.count - 11) }
}
