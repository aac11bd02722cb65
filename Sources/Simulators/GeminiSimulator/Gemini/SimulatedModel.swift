import JSON

/// A model that the simulator plays, with what it takes and gives, as `gemini.json` has it.
struct SimulatedModel: Sendable, Decodable {
  var id: String
  var displayName: String
  /// The size of a picture of 1K for each ratio; empty for a model that makes text only.
  var aspectRatios: [String: PictureSize]
  /// What `imageSize` may be; empty when it must be left out.
  var imageSizes: [String]
  /// What a picture costs, by its size.
  var imageTokens: [String: Int]
  /// The levels to choose from; empty for a model that always thinks, nil for one that cannot.
  var thinkingLevels: Set<String>?
  /// Whether turns of the model must come back with their signatures.
  var needsSignatures: Bool
  var maximumImages: Int

  static let all = Resources.gemini.models
  static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

  var makesImages: Bool { !aspectRatios.isEmpty }

  /// The size of a picture as the model makes it.
  func size(aspectRatio: String, imageSize: String) -> PictureSize {
    let size = aspectRatios[aspectRatio] ?? PictureSize(width: 1024, height: 1024)
    return switch imageSize {
    case "512": size.divided(by: 2)
    case "2K": PictureSize(width: size.width * 2, height: size.height * 2)
    case "4K": PictureSize(width: size.width * 4, height: size.height * 4)
    default: size
    }
  }

  /// The allowed ratio that is nearest to a picture's own.
  func aspectRatio(nearestTo size: PictureSize) -> String {
    func distance(_ other: PictureSize) -> Double {
      let ratio = Double(size.width * other.height) / Double(size.height * other.width)
      return max(ratio, 1 / ratio)
    }
    let sorted = aspectRatios.sorted { $0.key < $1.key }
    return sorted.min { distance($0.value) < distance($1.value) }?.key ?? "1:1"
  }

  /// As ListModels tells it.
  var json: JSONValue {
    var json: JSONObject = [
      "name": .string("models/\(id)"), "version": "2.0", "displayName": .string(displayName),
      "description": .string(displayName), "inputTokenLimit": 65536, "outputTokenLimit": 32768,
      "supportedGenerationMethods": ["generateContent", "countTokens", "batchGenerateContent"],
      "temperature": 1, "topP": 0.95, "topK": 64, "maxTemperature": 2,
    ]
    if thinkingLevels != nil { json["thinking"] = true }
    return .object(json)
  }
}
