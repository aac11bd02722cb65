import JSONRPC

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
