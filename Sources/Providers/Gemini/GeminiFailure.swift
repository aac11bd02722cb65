import AtelierProtocol
import Credentials
import CurlHTTP
import JSONRPC

/// A response that says it went wrong, and what to make of it (GEMINI 3).
struct GeminiFailure {
  var httpStatus: Int
  /// Nil for a body that is none of the API's, such as a proxy's page.
  var error: GeminiErrorBody?
  var headers: [HTTPHeader] = []
  /// The model that was asked.
  var model: String
  /// The size of the request's body.
  var sentBytes = 0
  /// Whether the request had a picture that may be at fault.
  var hasPictures = true

  /// - Parameter key: kept out of what is told.
  func error(hiding key: APIKey) -> AtelierError {
    var error = cause(key)
    error.provider = .gemini
    error.details["httpStatus"] = .number(JSONNumber(httpStatus))
    error.details["status"] = self.error?.status.flatMap { GeminiName($0, hiding: key) }?.json
    error.details["providerReason"] = self.error?.reason.flatMap { GeminiName($0, hiding: key) }?.json
    error.details["providerMessage"] = self.error.flatMap { ProviderMessage($0.message, hiding: key) }
      .map { .string($0.text) }
    // The API has been seen to give up after it had done the work.
    if [408, 499, 504].contains(httpStatus) { error.details["mayHaveBeenCharged"] = true }
    return error
  }

  private func cause(_ key: APIKey) -> AtelierError {
    switch httpStatus {
    case 300..<400:
      failure(
        .providerUnavailable, "redirected",
        "Something on the way to the provider redirects the request: a network may want you to log in first.")
    case 400: badRequest
    case 401: failure(.invalidApiKey, "unauthenticated")
    case 403:
      failure(
        .permissionDenied, "permission_denied",
        "This API key may not be used for that: check its restrictions in Google AI Studio, or use another key.")
    case 404: notFound
    case 413: tooLarge
    case 429: GeminiQuota(error, headers: headers).error(hiding: key)
    case 503: failure(.providerUnavailable, "unavailable")
    case 504: failure(.providerTimeout, "deadline_exceeded")
    case 408: failure(.providerError, "request_timeout")
    case 499: failure(.providerError, "cancelled")
    case 500..<600: failure(.providerError, "server_error")
    default: failure(.providerError, "unexpected_status")
    }
  }

  private func failure(
    _ kind: ErrorKind, _ reason: String, _ sentence: String? = nil, retryable: Bool? = nil
  ) -> AtelierError {
    AtelierError(kind, sentence, details: ["reason": .string(reason)], retryable: retryable)
  }

  private var badRequest: AtelierError {
    guard let error else { return failure(.providerError, "unexpected_status", retryable: false) }
    let message = error.message.lowercased()
    let isAboutKey = message.contains("api key not valid") || message.contains("api key expired")
    if error.reason == "API_KEY_INVALID" || isAboutKey {
      return failure(.invalidApiKey, "api_key_invalid")
    }
    if error.status == "FAILED_PRECONDITION" { return precondition(message) }
    if message.contains("thought_signature") || message.contains("thought signature") {
      let reason = GeminiFinishReason.historyInvalid
      return failure(.providerError, reason.name, reason.sentence, retryable: false)
    }
    if hasPictures { return failure(.invalidImage, "invalid_argument") }
    return failure(
      .wrongRecipeInput, "invalid_argument",
      "The provider did not accept the request: check what you asked for and try again.")
  }

  /// What only the operator or another provider can help.
  private func precondition(_ message: String) -> AtelierError {
    if message.contains("billing") {
      return failure(
        .providerUnavailable, "billing",
        "Google wants a billing account for this API key: link one in Google AI Studio, or use another provider.",
        retryable: false)
    }
    if message.contains("location") {
      return failure(
        .providerUnavailable, "region", "Google does not offer Gemini where this machine is: use another provider.",
        retryable: false)
    }
    return failure(.providerUnavailable, "failed_precondition", retryable: false)
  }

  private var notFound: AtelierError {
    guard error?.status != nil else {
      return failure(
        .providerUnavailable, "not_found",
        "The address configured for Gemini has no such API: the operator has to correct the base URL or the version.",
        retryable: false)
    }
    var missing = failure(
      .providerUnavailable, "model_not_found",
      "Google has no model \(model), or no longer: choose another model, or correct the one that is configured.",
      retryable: false)
    missing.details["model"] = .string(model)
    return missing
  }

  private var tooLarge: AtelierError {
    var error =
      hasPictures
      ? failure(.imageTooLarge, "request_too_large", "The provider finds the request too large: use smaller pictures.")
      : failure(.wrongRecipeInput, "request_too_large", "The provider finds the request too large: use fewer words.")
    error.details["bytes"] = .number(JSONNumber(sentBytes))
    return error
  }
}
