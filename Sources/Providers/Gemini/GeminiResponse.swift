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

  init(_ json: JSONObject) {
    candidates = (json["candidates"]?.array ?? []).compactMap(\.object).map(GeminiCandidate.init)
    blockReason = json["promptFeedback"]?["blockReason"]?.string
    usage = json["usageMetadata"]?.object.map(GeminiUsage.init)
    modelVersion = json["modelVersion"]?.string.flatMap { GeminiModel(checking: $0)?.name }
  }
}

/// One of the answers in a response.
struct GeminiCandidate {
  /// As it came, to be given back when the conversation goes on.
  var content: JSONObject?
  var parts: [GeminiPart]
  var finishReason: GeminiFinishReason
  /// The same as the API spells it.
  var finishName: String?
  /// The API's own sentence for it.
  var finishMessage: String?

  init(_ json: JSONObject) {
    content = json["content"]?.object
    parts = (content?["parts"]?.array ?? []).compactMap(\.object).map(GeminiPart.init)
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
  /// The base64 of a picture.
  var data: String?
  /// True for a file that is named and not given.
  var isReference: Bool

  init(_ json: JSONObject) {
    isThought = json["thought"]?.bool == true
    text = json["text"]?.string
    data = json["inlineData"]?.object.map { $0["data"]?.string ?? "" }
    isReference = json["fileData"]?.object != nil
  }
}
