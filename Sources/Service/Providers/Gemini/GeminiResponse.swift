import AtelierProtocol
import Credentials
import JSON

/// A `GenerateContentResponse`, parsed leniently (GEMINI 2): every level may be missing or have an unexpected type, and
/// unknown names and values are ignored.
struct GeminiResponse {
  var candidates: [GeminiCandidate]
  /// Why the prompt was blocked.
  var blockReason: String?
  var usage: GeminiUsage?
  /// The model that served the request, which may differ from the requested one.
  var modelVersion: String?

  /// - Parameter body: the body that contains the object.
  init(_ json: JSONObject, in body: AnswerBody?) {
    candidates = (json["candidates"]?.array ?? []).compactMap(\.object).map { GeminiCandidate($0, in: body) }
    blockReason = json["promptFeedback"]?["blockReason"]?.statedText
    usage = json["usageMetadata"]?.object.map(GeminiUsage.init)
    modelVersion = json["modelVersion"]?.string.flatMap { GeminiModel(checking: $0)?.name }
  }

  /// Whether work was done that is certainly charged: tokens were counted, or a picture came, complete or not.
  var hasCost: Bool {
    (usage?.usage.outputTokens ?? 0) > 0
      || candidates.contains { candidate in
        (candidate.content?["parts"]?.array ?? []).contains { part in
          ["inlineData", "inline_data"].contains { part[$0]?["data"]?.statedText != nil }
        }
      }
  }
}

/// One of the answers in a response.
struct GeminiCandidate {
  /// The content as received, to send back when the conversation continues.
  var content: JSONObject?
  /// The body that resolves the image placeholders in ``content``.
  var body: AnswerBody?
  var parts: [GeminiPart]
  var finishReason: GeminiFinishReason
  /// The finish reason as the API spells it.
  var finishName: String?
  /// The API's own sentence for the finish reason.
  var finishMessage: String?

  init(_ json: JSONObject, in body: AnswerBody?) {
    self.body = body
    content = json["content"]?.object
    parts = (content?["parts"]?.array ?? []).compactMap(\.object).map { GeminiPart($0, in: body) }
    finishReason = GeminiFinishReason(json["finishReason"]?.string)
    finishName = json["finishReason"]?.string
    finishMessage = json["finishMessage"]?.string
  }
}

/// A piece of an answer.
struct GeminiPart {
  /// Interim work, never a result.
  var isThought: Bool
  var text: String?
  /// A picture.
  var data: ReceivedBase64?
  /// True for a file that is referenced but not included.
  var isReference: Bool

  init(_ json: JSONObject, in body: AnswerBody?) {
    isThought = json["thought"]?.bool == true
    text = json["text"]?.string
    let blob = json[Self.blobName(in: json)]?.object
    data = blob.map { body?.base64($0["data"]) ?? ReceivedBase64("") }
    isReference = (json["fileData"] ?? json["file_data"])?.object != nil
  }
}

extension GeminiPart {
  /// The name of the member with an image. Gateways write names in either of the two forms that the API reads.
  static func blobName(in part: JSONObject) -> String { part["inlineData"] == nil ? "inline_data" : "inlineData" }
}

/// A response with status 200 and nothing to show: determines which of the many reasons applies.
struct GeminiRefusal {
  private let response: GeminiResponse
  private let problem: PictureProblem?
  /// The most informative candidate.
  private let candidate: GeminiCandidate?

  /// - Parameter problem: what is wrong with the first image, if there were any.
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
        .providerError, "The provider returned a link instead of the picture. Please try again.",
        details: ["reason": "file_reference"])
    }
    return AtelierError(
      reason.kind, reason.sentence, hint: reason.hint, details: ["reason": .string(reason.name)],
      retryable: reason.isFinal ? false : nil)
  }

  private func name(_ text: String?, _ key: APIKey) -> JSONValue? {
    text.flatMap { GeminiName($0, hiding: key) }?.json
  }

  /// Blocked requests are not charged; otherwise the token count decides, if there is one.
  private func mayHaveBeenCharged(_ kind: ErrorKind) -> Bool {
    guard kind != .contentBlocked, kind != .providerDenied else { return false }
    guard let usage = response.usage else { return true }
    return usage.usage.outputTokens > 0 || problem != nil
  }
}
