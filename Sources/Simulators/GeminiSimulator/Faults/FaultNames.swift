/// The HTTP errors of the Gemini API, whose bodies are those it was seen with.
public enum ErrorFault: String, Sendable, CaseIterable {
  case keyInvalid = "400-key-invalid", badField = "400-bad-field", badImage = "400-bad-image", region = "400-region"
  case billing = "400-billing", thoughtSignature = "400-thought-signature"
  case thoughtSignatureOfText = "400-thought-signature-text", unregisteredCaller = "403-no-key"
  case permission = "403-permission", model = "404-model", tooLarge = "413-too-large"
  case quotaMinute = "429-minute", quotaMinuteFraction = "429-minute-fraction", quotaKey = "429-key"
  case quotaDay = "429-day", quotaZero = "429-zero", quotaThree = "429-three-violations", quotaBare = "429-bare"
  case quotaMessageOnly = "429-message-only", cancelled = "499-cancelled", internalError = "500-internal"
  case emptyBody = "500-empty", badGateway = "502-html", overloaded = "503-overloaded"
  case unavailableDeadline = "503-deadline", gatewayTimeout = "504-deadline", array = "503-in-array"
  case unknownStatus = "418-unknown"
  /// Status 200 with an error inside.
  case insideSuccess = "200-error"
}

/// HTTP 200 with something else than a good picture, or a good one in an unusual form.
public enum AnswerFault: String, Sendable, CaseIterable {
  // Nothing to show.
  case noImage = "no-image", noCandidates = "no-candidates", emptyCandidates = "empty-candidates"
  case noContent = "no-content", emptyContent = "content-empty", noParts = "no-parts"
  case onlyThoughtImage = "only-thought-image"
  // Unusual, but a picture comes.
  case thoughtImage = "thought-image", twoImages = "two-images", twoCandidates = "two-candidates", jpeg, webp
  case urlSafeBase64 = "url-safe-base64", unpaddedBase64 = "unpadded-base64", saysPNGIsJPEG = "says-png-is-jpeg"
  case saysJPEGIsPNG = "says-jpeg-is-png", saysPNGIsWebP = "says-png-is-webp", noMimeType = "no-mime-type"
  case unknownFields = "unknown-fields", noUsage = "no-usage", noUsageDetails = "no-usage-details"
  case noSignatures = "no-signatures", hugeSignature = "huge-signature", noFinishReason = "no-finish-reason"
  case otherModelVersion = "other-model-version"
  // A broken picture.
  case truncatedBase64 = "truncated-base64", invalidBase64 = "invalid-base64", truncatedPicture = "truncated-picture"
  case truncatedJPEG = "truncated-jpeg", notAnImage = "not-an-image", emptyImage = "empty-image"
  case enormousHeader = "enormous-header", fileData = "file-data"
  // A broken body.
  case html = "html-200", notJSON = "not-json", truncatedJSON = "truncated-json", emptyBody = "empty-200"
  case array = "array-200", deepJSON = "deep-json", wrongTypes = "wrong-types"
}

/// Why a prompt was blocked, as the API spells it.
public enum BlockReason: String, Sendable, CaseIterable {
  case unspecified = "BLOCKED_REASON_UNSPECIFIED", safety = "SAFETY", other = "OTHER", blocklist = "BLOCKLIST"
  case prohibitedContent = "PROHIBITED_CONTENT", imageSafety = "IMAGE_SAFETY", modelArmor = "MODEL_ARMOR"
  case jailbreak = "JAILBREAK"
  /// One that no client can know yet.
  case unknown = "SOMETHING_NEW"
}

/// Why a candidate ended, as the API spells it.
public enum FinishReason: String, Sendable, CaseIterable {
  case stop = "STOP", unspecified = "FINISH_REASON_UNSPECIFIED", maxTokens = "MAX_TOKENS", safety = "SAFETY"
  case recitation = "RECITATION", language = "LANGUAGE", other = "OTHER", blocklist = "BLOCKLIST"
  case prohibitedContent = "PROHIBITED_CONTENT", personalInformation = "SPII"
  case malformedFunctionCall = "MALFORMED_FUNCTION_CALL", malformedResponse = "MALFORMED_RESPONSE"
  case imageSafety = "IMAGE_SAFETY", imageProhibitedContent = "IMAGE_PROHIBITED_CONTENT"
  case imageRecitation = "IMAGE_RECITATION", imageOther = "IMAGE_OTHER", noImage = "NO_IMAGE"
  case unexpectedToolCall = "UNEXPECTED_TOOL_CALL", tooManyToolCalls = "TOO_MANY_TOOL_CALLS"
  case missingThoughtSignature = "MISSING_THOUGHT_SIGNATURE", continuation = "CONTINUATION"
  case escalation = "ESCALATION", restricted = "PUP_LIMITED_DISABLED", modelArmor = "MODEL_ARMOR"
  /// One that no client can know yet.
  case unknown = "SOMETHING_NEW"

  /// Whether pictures come all the same.
  var bringsImage: Bool { self == .stop || self == .unspecified }

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

/// A stream of server-sent events that goes wrong, or looks unusual.
public enum StreamFault: String, Sendable, CaseIterable {
  case error = "sse-error", bareError = "sse-bare-error", noFinish = "sse-no-finish", done = "sse-done"
  case carriageReturns = "sse-crlf", comments = "sse-comments", manyLines = "sse-many-lines", notJSON = "sse-not-json"
  case smallPieces = "sse-small-pieces"
}

/// A connection that goes wrong, or an answer that travels in an unusual way.
public enum TransportFault: String, Sendable, CaseIterable {
  case closeBeforeHead = "close-before-head", resetBeforeHead = "reset-before-head", resetAfterHead = "reset-after-head"
  case resetMidBody = "reset-mid-body", resetDuringUpload = "reset-during-upload", truncatedBody = "truncated-body"
  case truncatedChunked = "truncated-chunked", stallBeforeHead = "stall-before-head"
  case stallAfterHead = "stall-after-head", stallMidBody = "stall-mid-body", stallDuringUpload = "stall-during-upload"
  case holdDuringUpload = "hold-during-upload", noContinue = "no-continue", hold, holdMidBody = "hold-mid-body"
  case slowDrip = "slow-drip", endlessBody = "endless-body", endlessHeaders = "endless-headers"
  case hugeHeaders = "huge-headers", notHTTP = "not-http", redirect, redirectElsewhere = "redirect-to-elsewhere"
  case earlyResponse = "early-response", earlyResponseAndClose = "early-response-close"
  case connectionClose = "connection-close", surprisingClose = "surprising-close", chunked, untilClose = "until-close"
  case interim = "interim-103", gzip, falseGzip = "says-gzip", gzipBomb = "gzip-bomb"

  /// Whether it happens as soon as the head of the request is there.
  var isEarly: Bool {
    [.resetDuringUpload, .stallDuringUpload, .earlyResponse, .earlyResponseAndClose].contains(self)
  }
}

/// What OpenAI's Images API answers when it does not make a picture, and what servers that imitate it do.
public enum OpenAIFault: String, Sendable, CaseIterable {
  case invalidKey = "openai:invalid_api_key", insufficientQuota = "openai:insufficient_quota"
  case rateLimit = "openai:rate_limit", moderationBlocked = "openai:moderation_blocked"
  case badParameter = "openai:bad_parameter", modelNotFound = "openai:model_not_found"
  case verificationNeeded = "openai:verification_needed", billingLimit = "openai:billing_limit"
  case serverError = "openai:server_error", overloaded = "openai:overloaded", url = "openai:url"
  case urlAndData = "openai:url-and-data", emptyData = "openai:empty-data", noData = "openai:no-data"
  case fewer = "openai:fewer-images", streamError = "openai:stream-error", detail = "openai:detail"
  case detailList = "openai:detail-list", errorText = "openai:error-text"
}

/// A model that calls functions in an unusual way, or a geocoder with an unusual answer.
public enum ToolFault: String, Sendable, CaseIterable {
  case endlessLoop = "tools:endless-loop", unknownFunction = "tools:unknown-function"
  case wrongArguments = "tools:wrong-arguments", invented = "tools:invented", oneByOne = "tools:one-by-one"
  case manyTurns = "tools:21-turns", noLookups = "tools:no-lookups", prose = "tools:prose", noList = "tools:no-list"
  case emptyList = "tools:empty-list", lookupNone = "lookup:none", lookupOther = "lookup:other"
}
