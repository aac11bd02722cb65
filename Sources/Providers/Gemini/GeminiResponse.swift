import JSONRPC

/// A `GenerateContentResponse` as far as it can be understood (GEMINI 2): every level may be missing, or be of another
/// kind than expected, and names and values that are new are passed over.
struct GeminiResponse {
  var candidates: [GeminiCandidate]
  /// Why the prompt was not answered at all.
  var blockReason: String?
  var usage: GeminiUsage?
  /// The model that served, which need not be the one that was asked.
  var modelVersion: String?

  /// - Parameter body: where the object stands.
  init(_ json: JSONObject, in body: AnswerBody?) {
    candidates = (json["candidates"]?.array ?? []).compactMap(\.object).map { GeminiCandidate($0, in: body) }
    blockReason = json["promptFeedback"]?["blockReason"]?.string
    usage = json["usageMetadata"]?.object.map(GeminiUsage.init)
    modelVersion = json["modelVersion"]?.string.flatMap { GeminiModel(checking: $0)?.name }
  }
}

/// One of the answers in a response.
struct GeminiCandidate {
  /// To be given back as it came when the conversation goes on.
  var content: JSONObject?
  /// Where what stands for pictures in ``content`` is found.
  var body: AnswerBody?
  var parts: [GeminiPart]
  var finishReason: GeminiFinishReason
  /// The same as the API spells it.
  var finishName: String?
  /// The API's own sentence for it.
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
  /// True for a file that is named and not given.
  var isReference: Bool

  init(_ json: JSONObject, in body: AnswerBody?) {
    isThought = json["thought"]?.bool == true
    text = json["text"]?.string
    data = json["inlineData"]?.object.map { body?.base64($0["data"]) ?? ReceivedBase64("") }
    isReference = json["fileData"]?.object != nil
  }
}
