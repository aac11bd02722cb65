import JSON

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

extension GeminiModel {
  /// In the order of ListModels. Those ending in `-preview` of 2025 are shut down and answer 404.
  static let all = [
    text("gemini-2.5-flash", "Gemini 2.5 Flash"),
    text("gemini-3.5-flash", "Gemini 3.5 Flash"),
    GeminiModel(
      id: "gemini-2.5-flash-image", displayName: "Nano Banana", aspectRatios: ratios2, imageSizes: [],
      imageTokens: ["1K": 1290], thinking: .none, needsSignatures: false, maximumImages: 14),
    GeminiModel(
      id: "gemini-3-pro-image", displayName: "Nano Banana Pro", aspectRatios: ratios3,
      imageSizes: ["1K", "2K", "4K"], imageTokens: ["1K": 1120, "2K": 1120, "4K": 2000], thinking: .always,
      needsSignatures: true, maximumImages: 14),
    GeminiModel(
      id: "gemini-3.1-flash-image", displayName: "Nano Banana 2", aspectRatios: ratios3.merging(longRatios) { $1 },
      imageSizes: ["512", "1K", "2K", "4K"], imageTokens: ["512": 747, "1K": 1120, "2K": 1680, "4K": 2520],
      thinking: .levels(["MINIMAL", "HIGH"]), needsSignatures: true, maximumImages: 14),
    GeminiModel(
      id: "gemini-3.1-flash-lite-image", displayName: "Nano Banana 2 Lite", aspectRatios: ratios3, imageSizes: ["1K"],
      imageTokens: ["1K": 1120], thinking: .levels(["MINIMAL", "HIGH"]), needsSignatures: true, maximumImages: 14),
    GeminiModel(
      id: "gemini-nano-banana-2.1", displayName: "Nano Banana 2.1", aspectRatios: ratios3.merging(longRatios) { $1 },
      imageSizes: ["1K", "2K", "4K"], imageTokens: ["1K": 1120, "2K": 1680, "4K": 2520],
      thinking: .levels(["MINIMAL", "MEDIUM", "HIGH"]), needsSignatures: true, maximumImages: 14),
    GeminiModel(
      id: "nano-banana-pro-preview", displayName: "Gemini 3 Pro Image Preview", aspectRatios: ratios3,
      imageSizes: ["1K", "2K", "4K"], imageTokens: ["1K": 1120, "2K": 1120, "4K": 2000], thinking: .always,
      needsSignatures: true, maximumImages: 14),
  ]

  static let byID = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

  private static func text(_ id: String, _ displayName: String) -> GeminiModel {
    GeminiModel(
      id: id, displayName: displayName, aspectRatios: [:], imageSizes: [], imageTokens: [:],
      thinking: .levels(["MINIMAL", "LOW", "MEDIUM", "HIGH"]), needsSignatures: false, maximumImages: 3000)
  }

  /// What 2.5 makes at 1K.
  private static let ratios2 = sizes([
    "1:1": (1024, 1024), "2:3": (832, 1248), "3:2": (1248, 832), "3:4": (864, 1184), "4:3": (1184, 864),
    "4:5": (896, 1152), "5:4": (1152, 896), "9:16": (768, 1344), "16:9": (1344, 768), "21:9": (1536, 672),
  ])

  /// What 3 and later make at 1K.
  private static let ratios3 = sizes([
    "1:1": (1024, 1024), "2:3": (848, 1264), "3:2": (1264, 848), "3:4": (896, 1200), "4:3": (1200, 896),
    "4:5": (928, 1152), "5:4": (1152, 928), "9:16": (768, 1376), "16:9": (1376, 768), "21:9": (1584, 672),
  ])

  private static let longRatios = sizes([
    "1:4": (512, 2048), "4:1": (2048, 512), "1:8": (384, 3072), "8:1": (3072, 384),
  ])

  private static func sizes(_ sizes: [String: (Int, Int)]) -> [String: PictureSize] {
    sizes.mapValues { PictureSize(width: $0.0, height: $0.1) }
  }
}
