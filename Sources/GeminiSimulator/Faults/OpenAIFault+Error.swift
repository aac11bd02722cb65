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
