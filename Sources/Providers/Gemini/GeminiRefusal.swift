import AtelierProtocol
import Credentials
import JSONRPC

/// A response with status 200 and nothing to show: which of the many reasons it is.
struct GeminiRefusal {
  private let response: GeminiResponse
  private let problem: PictureProblem?
  /// The candidate that tells most.
  private let candidate: GeminiCandidate?

  /// - Parameter problem: what is wrong with the first picture, where there were any.
  init(_ response: GeminiResponse, problem: PictureProblem?) {
    self.response = response
    self.problem = problem
    candidate = response.candidates.first { $0.finishReason != .stopped } ?? response.candidates.first
  }

  func error(hiding key: APIKey) -> AtelierError {
    var error = cause
    error.details["blockReason"] = error.kind == .contentBlocked ? name(response.blockReason, key) : nil
    error.details["finishReason"] = problem == nil ? name(candidate?.finishName, key) : nil
    error.provider = .gemini
    error.details["httpStatus"] = 200
    error.details["providerMessage"] = candidate?.finishMessage.flatMap { ProviderMessage($0, hiding: key) }
      .map { .string($0.text) }
    error.details["modelText"] = candidate.flatMap { ProviderMessage($0.text, hiding: key) }.map { .string($0.text) }
    if mayHaveBeenCharged(error.kind) { error.details["mayHaveBeenCharged"] = true }
    return error
  }

  private var cause: AtelierError {
    if let problem { return AtelierError(.providerError, problem.sentence, details: ["reason": .string(problem.name)]) }
    if response.blockReason != nil {
      return AtelierError(.contentBlocked, details: ["reason": "prompt_blocked"])
    }
    let reason = candidate?.finishReason ?? .stopped
    if reason == .stopped, response.candidates.contains(where: { $0.parts.contains(where: \.isReference) }) {
      return AtelierError(
        .providerError, "The provider gave a link in the place of the picture. Please try again.",
        details: ["reason": "file_reference"])
    }
    return AtelierError(
      reason.kind, reason.sentence, details: ["reason": .string(reason.name)], retryable: reason.isFinal ? false : nil)
  }

  private func name(_ text: String?, _ key: APIKey) -> JSONValue? {
    text.flatMap { GeminiName($0, hiding: key) }?.json
  }

  /// What is blocked is not charged; of anything else the count of tokens tells, where there is one.
  private func mayHaveBeenCharged(_ kind: ErrorKind) -> Bool {
    guard kind != .contentBlocked, kind != .permissionDenied else { return false }
    guard let usage = response.usage else { return true }
    return usage.usage.outputTokens > 0 || problem != nil
  }
}
