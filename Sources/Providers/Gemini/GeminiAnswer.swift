import AtelierProtocol
import Credentials
import CurlHTTP
import Imaging
import JSON

/// What is taken from a good response: its first whole picture.
struct GeminiAnswer {
  var picture: ReceivedPicture
  /// Exactly as they came.
  var bytes: [UInt8]
  /// How many results there were.
  var pictureCount: Int
  var text: String?
  var turn: ModelTurn?
  var usage: GeminiUsage?
  var modelVersion: String?

  /// A model that talks on is cut short here.
  private static let maximumText = 8000

  /// - Parameter key: kept out of what an error tells.
  /// - Throws: `AtelierError` for every response that has no whole picture to show.
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

  /// - Parameter asked: what was asked of `model`.
  func image(asked: ImageRequest, model: GeminiModel, prices: PriceTable) -> ProviderImage {
    var usage = usage?.usage ?? Usage()
    usage.costUsd = prices.cost(
      model: priced(model.name, in: prices), tokens: self.usage?.tokens ?? TokenCounts(), images: pictureCount,
      size: asked.size.flatMap(model.size) ?? "1K")
    return ProviderImage(
      bytes: bytes, mimeType: picture.mimeType, width: picture.width, height: picture.height,
      model: modelVersion ?? model.name, usage: usage, warnings: warnings, text: text, turn: turn)
  }

  /// The name whose price applies. A release of the model that was asked, such as `…-001`, costs what the model does.
  private func priced(_ model: String, in prices: PriceTable) -> String {
    guard let modelVersion, prices.models[modelVersion] == nil, modelVersion.hasPrefix(model + "-") else {
      return modelVersion ?? model
    }
    let release = modelVersion.dropFirst(model.count + 1)
    return release.allSatisfy { $0.isNumber || $0 == "-" } ? model : modelVersion
  }

  private var warnings: [Warning] {
    if pictureCount <= 1 { return [] }
    let message = "The model returned \(pictureCount) pictures; the first one is kept."
    return [Warning(kind: "extra_images", message: message)]
  }
}

extension GeminiCandidate {
  /// The results among its parts, whole or not.
  var pictures: [GeminiPart] { parts.filter { !$0.isThought && $0.data != nil } }

  /// What it says beside them.
  var text: String {
    parts.filter { !$0.isThought }.compactMap(\.text).joined(separator: "\n").trimmed
  }
}

extension String {
  /// Without blanks and line breaks at both ends.
  fileprivate var trimmed: String {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
    while rest.last?.isWhitespace == true { rest = rest.dropLast() }
    return String(rest)
  }
}

/// Reads what the API answers to one request. Pure: the same response gives the same answer or error.
struct GeminiReading {
  /// The one that was sent, to keep it out of everything that is told.
  var key: APIKey
  /// The model that was asked.
  var model: String
  /// The size of the request's body.
  var sentBytes: Int
  /// Whether the request had a picture that may be at fault.
  var hasPictures = true

  /// A real answer has some hundred; a hostile one is not to fill the memory.
  private static let maximumValues = 200_000

  /// - Throws: `AtelierError` for every response without a whole picture.
  func answer(_ response: HTTPResponse) throws(AtelierError) -> GeminiAnswer {
    let body = AnswerBody(response.body, maximumValues: Self.maximumValues)
    let object = try success(response, Self.object(in: body?.json))
    return try GeminiAnswer(GeminiResponse(object, in: body), hiding: key)
  }

  /// The object of a response that says it went well.
  /// - Throws: `AtelierError` for every other one.
  func success(_ response: HTTPResponse) throws(AtelierError) -> JSONObject {
    try success(
      response, Self.object(in: try? JSONValue(parsing: response.body.span, maximumValues: Self.maximumValues)))
  }

  private func success(_ response: HTTPResponse, _ object: JSONObject?) throws(AtelierError) -> JSONObject {
    guard (200..<300).contains(response.status) else { throw failure(response.status, response, object) }
    guard let object else {
      throw AtelierError(
        .providerError, "The provider's answer makes no sense. Please try again later.", provider: .gemini,
        details: [
          "reason": "malformed_response", "httpStatus": .number(JSONNumber(response.status)),
          "mayHaveBeenCharged": true,
        ])
    }
    if let error = object["error"], !error.isNull {
      let status = error["code"]?.number?.integer(as: Int.self).flatMap { (400..<600).contains($0) ? $0 : nil }
      throw failure(status ?? 500, response, object)
    }
    return object
  }

  private func failure(_ status: Int, _ response: HTTPResponse, _ object: JSONObject?) -> AtelierError {
    GeminiFailure(
      httpStatus: status, error: object.flatMap(GeminiErrorBody.init), headers: response.headers, model: model,
      sentBytes: sentBytes, hasPictures: hasPictures
    ).error(hiding: key)
  }

  /// The object, also when it stands alone in an array, as that of a stream does.
  private static func object(in json: JSONValue?) -> JSONObject? {
    switch json {
    case .object(let object): object
    case .array(let array): array.count == 1 ? array[0].object : nil
    default: nil
    }
  }
}

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
