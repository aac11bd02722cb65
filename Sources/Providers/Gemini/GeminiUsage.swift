import AtelierProtocol
import JSONRPC

/// The API's count of tokens (GEMINI 2).
struct GeminiUsage {
  var prompt: Int?
  var toolUse: Int?
  var candidates: Int?
  var thoughts: Int?
  /// Of these, by modality; nil where the API gives no details.
  var promptImages: Int?
  var candidateImages: Int?
  var candidateTexts: Int?

  init(_ json: JSONObject) {
    prompt = Self.count(json["promptTokenCount"])
    toolUse = Self.count(json["toolUsePromptTokenCount"])
    candidates = Self.count(json["candidatesTokenCount"])
    thoughts = Self.count(json["thoughtsTokenCount"])
    promptImages = Self.sum("IMAGE", in: json["promptTokensDetails"])
    candidateImages = Self.sum("IMAGE", in: json["candidatesTokensDetails"])
    candidateTexts = Self.sum("TEXT", in: json["candidatesTokensDetails"])
  }

  var usage: Usage {
    Usage(inputTokens: (prompt ?? 0) + (toolUse ?? 0), outputTokens: (candidates ?? 0) + (thoughts ?? 0))
  }

  /// By what they cost: pictures by the details; everything else that came is text, thoughts included.
  var tokens: TokenCounts {
    let images = promptImages ?? 0
    let texts = candidateImages.flatMap { images in candidates.map { max(0, $0 - images) } } ?? candidateTexts ?? 0
    return TokenCounts(
      textInput: max(0, (prompt ?? 0) - images) + (toolUse ?? 0), imageInput: images,
      textOutput: texts + (thoughts ?? 0), imageOutput: candidateImages)
  }

  /// No request has more; what claims to is not counted.
  private static let maximum = 1 << 40

  private static func count(_ value: JSONValue?) -> Int? {
    guard let count = value?.number?.integer(as: Int.self), (0...maximum).contains(count) else { return nil }
    return count
  }

  private static func sum(_ modality: String, in details: JSONValue?) -> Int? {
    let counts = (details?.array ?? []).filter { $0["modality"]?.string == modality }.compactMap {
      count($0["tokenCount"])
    }
    // A list of a handful; the bound keeps the sum of a hostile one in range.
    return counts.isEmpty ? nil : counts.prefix(64).reduce(0, +)
  }
}
