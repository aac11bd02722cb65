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
