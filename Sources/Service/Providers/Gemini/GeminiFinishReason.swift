import AtelierProtocol
import Localization

/// Why a candidate ended, as far as it matters here (GEMINI 2).
enum GeminiFinishReason: Equatable {
  /// Normally, without a reason, or with an unknown reason.
  case stopped
  case noImage
  case blocked
  case personalInformation
  case recitation
  case language
  case truncated
  case failed
  case historyInvalid
  case unfinished
  case accountRestricted

  init(_ name: String?) {
    switch name {
    case "NO_IMAGE": self = .noImage
    case "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "MODEL_ARMOR":
      self = .blocked
    case "SPII": self = .personalInformation
    case "IMAGE_RECITATION", "RECITATION": self = .recitation
    case "LANGUAGE": self = .language
    case "MAX_TOKENS": self = .truncated
    case "IMAGE_OTHER", "OTHER", "MALFORMED_RESPONSE", "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL",
      "TOO_MANY_TOOL_CALLS":
      self = .failed
    case "MISSING_THOUGHT_SIGNATURE": self = .historyInvalid
    case "CONTINUATION": self = .unfinished
    case "ESCALATION", "PUP_LIMITED_DISABLED": self = .accountRestricted
    default: self = .stopped
    }
  }

  /// Whether nothing of such a candidate may be shown.
  var isRefusal: Bool {
    switch self {
    case .blocked, .personalInformation, .recitation, .language, .accountRestricted: true
    default: false
    }
  }

  /// For `details.reason`.
  var name: String {
    switch self {
    case .stopped, .noImage: "no_image"
    case .blocked: "safety"
    case .personalInformation: "personal_information"
    case .recitation: "recitation"
    case .language: "language"
    case .truncated: "truncated"
    case .failed: "failed"
    case .historyInvalid: "history_invalid"
    case .unfinished: "unfinished"
    case .accountRestricted: "account_restricted"
    }
  }

  var kind: ErrorKind {
    switch self {
    case .stopped, .noImage: .noImageReturned
    case .blocked, .personalInformation, .recitation, .language: .contentBlocked
    case .truncated, .failed, .historyInvalid, .unfinished: .providerError
    case .accountRestricted: .providerDenied
    }
  }

  /// The message for a person; nil for the kind's own sentence.
  var sentence: Sentence? {
    switch self {
    case .stopped, .noImage, .blocked, .accountRestricted: nil
    case .personalInformation:
      "The provider found personal data it does not process: take it out of the request."
    case .recitation: "The result came too close to an existing work: put the prompt in other words."
    case .language: "The provider's model does not speak this language: put the prompt in another one."
    case .truncated: "The provider's model stopped before the picture was complete. Please try again."
    case .failed, .unfinished: "The provider's model failed to make the picture. Please try again."
    case .historyInvalid: "The provider does not accept the conversation so far: start anew."
    }
  }

  /// What the operator can do; nil for the hint of the kind.
  var hint: String? {
    self == .accountRestricted
      ? "Google has restricted the account of the API key: look for its notices, or use another key." : nil
  }

  /// Whether the same request cannot succeed later.
  var isFinal: Bool { self == .historyInvalid }
}
