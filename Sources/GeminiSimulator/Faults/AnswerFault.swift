import JSON

/// HTTP 200 with something else than a good picture, or a good one in an unusual form.
public enum AnswerFault: String, Sendable, CaseIterable {
  // Nothing to show.
  case noImage = "no-image"
  case noCandidates = "no-candidates"
  case emptyCandidates = "empty-candidates"
  case noContent = "no-content"
  case emptyContent = "content-empty"
  case noParts = "no-parts"
  case onlyThoughtImage = "only-thought-image"
  // Unusual, but a picture comes.
  case thoughtImage = "thought-image"
  case twoImages = "two-images"
  case twoCandidates = "two-candidates"
  case jpeg = "jpeg"
  case webp = "webp"
  case urlSafeBase64 = "url-safe-base64"
  case unpaddedBase64 = "unpadded-base64"
  case saysPNGIsJPEG = "says-png-is-jpeg"
  case saysJPEGIsPNG = "says-jpeg-is-png"
  case saysPNGIsWebP = "says-png-is-webp"
  case noMimeType = "no-mime-type"
  case unknownFields = "unknown-fields"
  case noUsage = "no-usage"
  case noUsageDetails = "no-usage-details"
  case noSignatures = "no-signatures"
  case hugeSignature = "huge-signature"
  case noFinishReason = "no-finish-reason"
  case otherModelVersion = "other-model-version"
  // A broken picture.
  case truncatedBase64 = "truncated-base64"
  case invalidBase64 = "invalid-base64"
  case truncatedPicture = "truncated-picture"
  case truncatedJPEG = "truncated-jpeg"
  case notAnImage = "not-an-image"
  case emptyImage = "empty-image"
  case enormousHeader = "enormous-header"
  case fileData = "file-data"
  // A broken body.
  case html = "html-200"
  case notJSON = "not-json"
  case truncatedJSON = "truncated-json"
  case emptyBody = "empty-200"
  case array = "array-200"
  case deepJSON = "deep-json"
  case wrongTypes = "wrong-types"

  var summary: String {
    switch self {
    case .noImage: "200, only text, finishReason STOP"
    case .noCandidates: "200 without candidates and without promptFeedback"
    case .emptyCandidates: "200, candidates is []"
    case .noContent: "200, the candidate has no content"
    case .emptyContent: "200, content is {}"
    case .noParts: "200, content has a role but no parts"
    case .onlyThoughtImage: "200, the only picture is an interim one, marked as a thought"
    case .thoughtImage: "200, thoughts with an interim picture, then the final picture"
    case .twoImages: "200, two pictures in one candidate"
    case .twoCandidates: "200, a picture in each of two candidates"
    case .jpeg: "200, the picture is a JPEG, and called so"
    case .webp: "200, the picture is a WebP, and called so"
    case .urlSafeBase64: "200, the picture in URL-safe base64"
    case .unpaddedBase64: "200, the picture in base64 without padding"
    case .saysPNGIsJPEG: "200, called image/png, but a JPEG"
    case .saysJPEGIsPNG: "200, called image/jpeg, but a PNG"
    case .saysPNGIsWebP: "200, called image/png, but a WebP"
    case .noMimeType: "200, the picture has no mimeType"
    case .unknownFields: "200, fields and enum values no client knows, beside a good picture"
    case .noUsage: "200, a good picture without usageMetadata"
    case .noUsageDetails: "200, usageMetadata without details by modality"
    case .noSignatures: "200, a good picture without thoughtSignature"
    case .hugeSignature: "200, a thoughtSignature of a megabyte"
    case .noFinishReason: "200, a good picture without finishReason"
    case .otherModelVersion: "200, modelVersion names another model"
    case .truncatedBase64: "200, the base64 of the picture ends in the middle"
    case .invalidBase64: "200, the base64 of the picture has foreign characters"
    case .truncatedPicture: "200, good base64 of a PNG without its end"
    case .truncatedJPEG: "200, good base64 of a JPEG without its end"
    case .notAnImage: "200, called image/png, but text"
    case .emptyImage: "200, the picture has no bytes"
    case .enormousHeader: "200, a PNG whose header promises 60000 × 60000 pixels"
    case .fileData: "200, the picture as a fileData URI"
    case .html: "200, a page of HTML"
    case .notJSON: "200, plain text"
    case .truncatedJSON: "200, JSON that ends in the middle; its length is right"
    case .emptyBody: "200 without a body"
    case .array: "200, the answer in an array of one element"
    case .deepJSON: "200, 100,000 arrays inside each other"
    case .wrongTypes: "200, candidates is a number, usageMetadata a text"
    }
  }
}

extension AnswerFault {
  /// The answer of a fault that breaks the whole body; nil for the others.
  /// - Parameter good: what would have been answered.
  func brokenBody(_ good: JSONValue) -> HTTPAnswer? {
    switch self {
    case .html:
      return .html(
        status: 200,
        "<!DOCTYPE html>\n<html><head><title>Sign in to the network</title></head><body>Welcome.</body></html>\n")
    case .notJSON:
      return HTTPAnswer(status: 200, headers: HTTPAnswer.googleHeaders("application/json"), body: Array("OK\n".utf8))
    case .truncatedJSON:
      var answer = HTTPAnswer.json(good)
      if case .whole(let bytes) = answer.body { answer.body = .whole(Array(bytes.prefix(bytes.count / 2))) }
      return answer
    case .emptyBody: return HTTPAnswer(status: 200, headers: HTTPAnswer.googleHeaders("application/json"), body: [])
    case .array: return .json(.array([good]))
    case .deepJSON:
      let brackets = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
      return HTTPAnswer(
        status: 200, headers: HTTPAnswer.googleHeaders("application/json"),
        body: brackets + brackets.map { $0 + 2 })
    case .wrongTypes: return .json(["candidates": 7, "usageMetadata": "none", "modelVersion": ["x"]])
    default: return nil
    }
  }
}

/// Why a prompt was blocked, as the API spells it.
public enum BlockReason: String, Sendable, CaseIterable {
  case unspecified = "BLOCKED_REASON_UNSPECIFIED"
  case safety = "SAFETY"
  case other = "OTHER"
  case blocklist = "BLOCKLIST"
  case prohibitedContent = "PROHIBITED_CONTENT"
  case imageSafety = "IMAGE_SAFETY"
  case modelArmor = "MODEL_ARMOR"
  case jailbreak = "JAILBREAK"
  /// One that no client can know yet.
  case unknown = "SOMETHING_NEW"

  var summary: String { "200, promptFeedback.blockReason \(rawValue) and no candidates" }
}

/// Why a candidate ended, as the API spells it.
public enum FinishReason: String, Sendable, CaseIterable {
  case stop = "STOP"
  case unspecified = "FINISH_REASON_UNSPECIFIED"
  case maxTokens = "MAX_TOKENS"
  case safety = "SAFETY"
  case recitation = "RECITATION"
  case language = "LANGUAGE"
  case other = "OTHER"
  case blocklist = "BLOCKLIST"
  case prohibitedContent = "PROHIBITED_CONTENT"
  case personalInformation = "SPII"
  case malformedFunctionCall = "MALFORMED_FUNCTION_CALL"
  case malformedResponse = "MALFORMED_RESPONSE"
  case imageSafety = "IMAGE_SAFETY"
  case imageProhibitedContent = "IMAGE_PROHIBITED_CONTENT"
  case imageRecitation = "IMAGE_RECITATION"
  case imageOther = "IMAGE_OTHER"
  case noImage = "NO_IMAGE"
  case unexpectedToolCall = "UNEXPECTED_TOOL_CALL"
  case tooManyToolCalls = "TOO_MANY_TOOL_CALLS"
  case missingThoughtSignature = "MISSING_THOUGHT_SIGNATURE"
  case continuation = "CONTINUATION"
  case escalation = "ESCALATION"
  case restricted = "PUP_LIMITED_DISABLED"
  case modelArmor = "MODEL_ARMOR"
  /// One that no client can know yet.
  case unknown = "SOMETHING_NEW"

  /// Whether pictures come all the same.
  var bringsImage: Bool { self == .stop || self == .unspecified }

  var summary: String {
    bringsImage
      ? "200, a good picture with finishReason \(rawValue)" : "200, no picture: the candidate ends with \(rawValue)"
  }

  /// The sentence that the API adds for some reasons.
  var message: String? {
    switch self {
    case .imageSafety, .imageProhibitedContent:
      """
      Unable to show the generated image. The image was filtered out because it violated Google's Generative AI \
      Prohibited Use policy. You will not be charged for blocked images. Try rephrasing the prompt.
      """
    case .noImage: "Unable to show the generated image. The model could not generate the image based on the prompt."
    case .imageOther: "Unable to show the generated image due to an unknown error. Try rephrasing the prompt."
    default: nil
    }
  }
}

extension GeminiReplyMaker {
  /// Changes the content of an answer as a fault demands; what concerns the picture alone is in ``PicturePart``.
  func apply(_ fault: AnswerFault, to reply: inout GeminiReply) {
    switch fault {
    case .noImage: reply.parts = [text(isFirst: true)]
    case .noCandidates: reply.hasCandidates = nil
    case .emptyCandidates: reply.hasCandidates = false
    case .noContent: (reply.content, reply.parts) = (nil, nil)
    case .emptyContent: (reply.content, reply.parts) = ([:], nil)
    case .noParts: reply.parts = nil
    case .twoImages: reply.parts?.append(PicturePart(maker: self, index: 1).json)
    case .twoCandidates:
      let content: JSONValue = ["role": "model", "parts": [PicturePart(maker: self, index: 1).json]]
      reply.otherCandidates = [["content": content, "finishReason": "STOP", "index": 1]]
    case .noFinishReason: reply.finishReason = nil
    case .noUsage: reply.rest["usageMetadata"] = nil
    case .noUsageDetails:
      var usage = reply.rest["usageMetadata"]?.object ?? [:]
      usage["promptTokensDetails"] = nil
      usage["candidatesTokensDetails"] = nil
      reply.rest["usageMetadata"] = .object(usage)
    case .otherModelVersion: reply.rest["modelVersion"] = .string(request.model.id + "-002")
    case .unknownFields: addUnknownFields(to: &reply)
    default: break
    }
    let hasNothing: [AnswerFault] = [.noImage, .noCandidates, .emptyCandidates, .noContent, .emptyContent, .noParts]
    if hasNothing.contains(fault) { reply.rest["usageMetadata"] = rest(imageTokens: 0)["usageMetadata"] }
  }

  private func addUnknownFields(to reply: inout GeminiReply) {
    reply.rest["somethingNew"] = ["nested": [1, 2, 3]]
    reply.rest["modelStatus"] = ["modelStage": "SOMETHING_NEW", "message": "Retired some day."]
    reply.content?["somethingNew"] = true
    reply.parts = (reply.parts ?? []).map { part in
      var part = part.object ?? [:]
      part["somethingNew"] = ["a": "b"]
      return .object(part)
    }
    reply.parts?.insert(["somethingNew": ["data": "AAAA"]], at: 0)
    var usage = reply.rest["usageMetadata"]?.object ?? [:]
    usage["somethingNewTokenCount"] = 3
    usage["cacheTokensDetails"] = [["modality": "SOMETHING_NEW", "tokenCount": 3]]
    reply.rest["usageMetadata"] = .object(usage)
  }
}
