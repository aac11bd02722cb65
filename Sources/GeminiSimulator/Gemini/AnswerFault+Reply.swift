import JSONRPC

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
