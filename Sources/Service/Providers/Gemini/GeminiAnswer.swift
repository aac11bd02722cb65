import AtelierProtocol
import Credentials
import Imaging
import JSON

/// The part of a successful response that is used: its first complete image.
struct GeminiAnswer {
  var picture: ReceivedPicture
  /// Exactly as received.
  var bytes: [UInt8]
  /// The number of images in the response.
  var pictureCount: Int
  var text: String?
  var turn: ModelTurn?
  var usage: GeminiUsage?
  var modelVersion: String?

  /// Longer text from the model is truncated.
  private static let maximumText = 8000

  /// A picture in the form of another API.
  init(_ picture: ReceivedPicture, _ bytes: [UInt8]) {
    (self.picture, self.bytes) = (picture, bytes)
    pictureCount = 1
  }

  /// - Parameter key: removed from the texts of errors.
  /// - Throws: `AtelierError` for every response without a complete image to show.
  init(_ response: GeminiResponse, hiding key: APIKey) throws(AtelierError) {
    let shown = response.candidates.filter { !$0.finishReason.isRefusal }
    pictureCount = shown.reduce(0) { $0 + $1.pictures.count }
    var problem: PictureProblem?
    for candidate in shown {
      for part in candidate.pictures {
        let isStrict: Bool
        do throws(PictureProblem) {
          let (picture, decoded) = try PictureProblem.check(part.data ?? ReceivedBase64(""))
          self.picture = picture
          bytes = decoded.bytes
          isStrict = decoded.isStrict
        } catch {
          problem = problem ?? error
          continue
        }
        let text = candidate.text
        self.text = text.isEmpty ? nil : String(text.prefix(Self.maximumText))
        turn = isStrict ? ModelTurn(candidate) : nil
        usage = response.usage
        modelVersion = response.modelVersion
        return
      }
    }
    throw GeminiRefusal(response, problem: problem).error(hiding: key)
  }

  /// - Parameter asked: the request to `model`.
  func image(asked: ImageRequest, model: GeminiModel, prices: PriceTable) -> ProviderImage {
    var usage = usage?.usage ?? Usage()
    usage.costUsd = prices.cost(
      model: prices.pricedModel(modelVersion, asked: model.name), tokens: self.usage?.tokens ?? TokenCounts(),
      images: pictureCount,
      size: asked.size.flatMap(model.size) ?? "1K")
    return ProviderImage(
      bytes: bytes, mimeType: picture.mimeType, width: picture.width, height: picture.height,
      model: modelVersion ?? model.name, usage: usage, warnings: warnings, text: text, turn: turn)
  }

  private var warnings: [Warning] {
    if pictureCount <= 1 { return [] }
    return [
      Warning(kind: "extra_images", message: "The model returned \(pictureCount) pictures; the first one is kept.")
    ]
  }
}

extension GeminiCandidate {
  /// The images among its parts, complete or not.
  var pictures: [GeminiPart] { parts.filter { !$0.isThought && $0.data != nil } }

  /// The text that accompanies the images.
  var text: String {
    parts.filter { !$0.isThought }.compactMap(\.text).joined(separator: "\n").trimmed
  }
}

/// The API's count of tokens (GEMINI 2).
struct GeminiUsage {
  var prompt: Int?
  var toolUse: Int?
  var candidates: Int?
  var thoughts: Int?
  /// Parts of the counts above, by modality; nil if the API gives no details.
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

  /// Token counts by price: images according to the details; all other output is text, including thoughts.
  var tokens: TokenCounts {
    let images = promptImages ?? 0
    let texts = candidateImages.flatMap { images in candidates.map { max(0, $0 - images) } } ?? candidateTexts ?? 0
    return TokenCounts(
      textInput: max(0, (prompt ?? 0) - images) + (toolUse ?? 0), imageInput: images,
      textOutput: texts + (thoughts ?? 0), imageOutput: candidateImages)
  }

  /// No request has more tokens; a larger count is ignored.
  private static let maximum = 1 << 40

  private static func count(_ value: JSONValue?) -> Int? {
    guard let count = value?.number?.integer(as: Int.self), (0...maximum).contains(count) else { return nil }
    return count
  }

  private static func sum(_ modality: String, in details: JSONValue?) -> Int? {
    let counts = (details?.array ?? []).filter { $0["modality"]?.string == modality }.compactMap {
      count($0["tokenCount"])
    }
    // Real lists are short; the bound keeps the sum of a hostile one in range.
    return counts.isEmpty ? nil : counts.prefix(64).reduce(0, +)
  }
}
