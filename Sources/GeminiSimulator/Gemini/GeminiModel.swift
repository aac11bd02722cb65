import JSONRPC

/// A model that the simulator plays, with what it takes and gives.
struct GeminiModel: Sendable {
  enum Thinking: Sendable, Hashable {
    /// `thinkingConfig` is refused.
    case none
    /// It thinks, and its level cannot be chosen.
    case always
    case levels(Set<String>)
  }

  var id: String
  var displayName: String
  /// Empty for a model that makes text only.
  var aspectRatios: [String: PictureSize]
  /// What `imageSize` may be; empty when it must be left out.
  var imageSizes: [String]
  /// What a picture costs, by its size.
  var imageTokens: [String: Int]
  var thinking: Thinking
  /// Whether turns of the model must come back with their signatures.
  var needsSignatures: Bool
  var maximumImages: Int

  var makesImages: Bool { !aspectRatios.isEmpty }

  static let defaultImageSize = "1K"

  /// The size of a picture as the model makes it; the sizes that are not 1K are so many times it.
  func size(aspectRatio: String, imageSize: String) -> PictureSize? {
    guard let size = aspectRatios[aspectRatio] else { return nil }
    return switch imageSize {
    case "512": size.divided(by: 2)
    case "2K": size.multiplied(by: 2)
    case "4K": size.multiplied(by: 4)
    default: size
    }
  }

  /// The allowed ratio that is nearest to a picture's own.
  func aspectRatio(nearestTo size: PictureSize) -> String {
    func distance(_ other: PictureSize) -> Double {
      let ratio = Double(size.width * other.height) / Double(size.height * other.width)
      return ratio > 1 ? ratio : 1 / ratio
    }
    let sorted = aspectRatios.sorted { $0.key < $1.key }
    return sorted.min { distance($0.value) < distance($1.value) }?.key ?? "1:1"
  }

  /// As ListModels tells it.
  var json: JSONValue {
    var json: JSONObject = [
      "name": .string("models/\(id)"), "version": .string("2.0"), "displayName": .string(displayName),
      "description": .string(displayName), "inputTokenLimit": 65536, "outputTokenLimit": 32768,
      "supportedGenerationMethods": ["generateContent", "countTokens", "batchGenerateContent"],
      "temperature": 1, "topP": 0.95, "topK": 64, "maxTemperature": 2,
    ]
    if thinking != .none { json["thinking"] = true }
    return .object(json)
  }
}
