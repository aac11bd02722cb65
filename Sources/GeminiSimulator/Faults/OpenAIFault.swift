
/// What OpenAI's Images API answers when it does not make a picture, and what servers that imitate it do.
public enum OpenAIFault: String, Sendable, CaseIterable {
  case invalidKey = "openai:invalid_api_key"
  case insufficientQuota = "openai:insufficient_quota"
  case rateLimit = "openai:rate_limit"
  case moderationBlocked = "openai:moderation_blocked"
  case badParameter = "openai:bad_parameter"
  case modelNotFound = "openai:model_not_found"
  case verificationNeeded = "openai:verification_needed"
  case billingLimit = "openai:billing_limit"
  case serverError = "openai:server_error"
  case overloaded = "openai:overloaded"
  case url = "openai:url"
  case urlAndData = "openai:url-and-data"
  case emptyData = "openai:empty-data"
  case noData = "openai:no-data"
  case fewer = "openai:fewer-images"
  case streamError = "openai:stream-error"
  case detail = "openai:detail"
  case detailList = "openai:detail-list"
  case errorText = "openai:error-text"

  var summary: String {
    switch self {
    case .invalidKey: "401, code invalid_api_key"
    case .insufficientQuota: "429, code insufficient_quota: waiting does not help"
    case .rateLimit: "429, code rate_limit_exceeded, with Retry-After: 12"
    case .moderationBlocked: "400, code moderation_blocked"
    case .badParameter: "400, code invalid_value, param size"
    case .modelNotFound: "404, code model_not_found"
    case .verificationNeeded: "403, the organisation must be verified"
    case .billingLimit: "400, code billing_hard_limit_reached"
    case .serverError: "500, type server_error"
    case .overloaded: "503, the engine is overloaded"
    case .url: "200, data has a url instead of b64_json"
    case .urlAndData: "200, data has a url beside a b64_json of null"
    case .emptyData: "200, data is []"
    case .noData: "200 without data"
    case .fewer: "200, one picture fewer than asked for"
    case .streamError: "a stream of events ends with an error event"
    case .detail: "400 as vLLM has it: {\"detail\": \"…\"}"
    case .detailList: "422 as FastAPI has it: {\"detail\": [{\"loc\": …, \"msg\": …}]}"
    case .errorText: "500 as small servers have it: {\"error\": \"…\"}"
    }
  }
}

extension OpenAIFault {
  /// The error that is answered; nil for a fault that is none.
  var error: OpenAIError? {
    switch self {
    case .invalidKey: return .invalidKey
    case .insufficientQuota:
      return OpenAIError(
        429,
        """
        You exceeded your current quota, please check your plan and billing details. For more information on this \
        error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.
        """, type: "insufficient_quota", code: "insufficient_quota")
    case .rateLimit:
      var error = OpenAIError(
        429,
        """
        Rate limit reached for gpt-image-2 in organization org-simulated on input-images per min: Limit 5, Used 5, \
        Requested 1. Please try again in 12s.
        """, type: "input-images", code: "rate_limit_exceeded")
      error.headers = [HeaderField("Retry-After", "12"), HeaderField("x-ratelimit-reset-requests", "12s")]
      return error
    case .moderationBlocked:
      return OpenAIError(
        400,
        """
        Your request was rejected by the safety system. If you believe this is an error, contact us at \
        help.openai.com and include the request ID req_simulated. safety_violations=[sexual].
        """, type: "image_generation_user_error", code: "moderation_blocked")
    case .badParameter:
      return .invalid(
        "Invalid value: '17x17'. Supported values are: '1024x1024', '1024x1536', '1536x1024', and 'auto'.",
        param: "size", code: "invalid_value")
    case .modelNotFound:
      return OpenAIError(
        404, "The model 'gpt-image-0' does not exist or you do not have access to it.", type: "invalid_request_error",
        param: "model", code: "model_not_found")
    case .verificationNeeded:
      return OpenAIError(
        403,
        """
        Your organization must be verified to use the model `gpt-image-2`. Please go to: \
        https://platform.openai.com/settings/organization/general and click on Verify Organization.
        """, type: "invalid_request_error")
    case .billingLimit:
      return OpenAIError(
        400, "Billing hard limit has been reached", type: "image_generation_user_error",
        code: "billing_hard_limit_reached")
    case .serverError:
      return OpenAIError(
        500, "The server had an error while processing your request. Sorry about that!", type: "server_error")
    case .overloaded:
      return OpenAIError(503, "The engine is currently overloaded, please try again later", type: "server_error")
    case .detail: return OpenAIError(400, body: ["detail": "The requested model does not support image edits."])
    case .detailList:
      return OpenAIError(
        422,
        body: [
          "detail": [["loc": ["body", "size"], "msg": "Input should be a valid string", "type": "string_type"]]
        ])
    case .errorText: return OpenAIError(500, body: ["error": "generation failed"])
    case .url, .urlAndData, .emptyData, .noData, .fewer, .streamError: return nil
    }
  }
}
