extension ProtoEnumeration {
  static let all: [String: ProtoEnumeration] = [
    "Modality": named("GenerationConfig.Modality", ["MODALITY_UNSPECIFIED", "TEXT", "IMAGE", "AUDIO"]),
    "MediaResolution": named("GenerationConfig.MediaResolution", mediaResolutions),
    "PartMediaResolution": named("Part.MediaResolution.Level", mediaResolutions + ["MEDIA_RESOLUTION_ULTRA_HIGH"]),
    "ThinkingLevel": named(
      "ThinkingConfig.ThinkingLevel",
      ["THINKING_LEVEL_UNSPECIFIED", "MINIMAL", "LOW", "MEDIUM", "HIGH", "XHIGH"]),
    "FunctionCallingMode": named(
      "FunctionCallingConfig.Mode", ["MODE_UNSPECIFIED", "AUTO", "ANY", "NONE", "VALIDATED"]),
    "HarmCategory": named(
      "HarmCategory",
      ["UNSPECIFIED", "HARASSMENT", "HATE_SPEECH", "SEXUALLY_EXPLICIT", "DANGEROUS_CONTENT", "CIVIC_INTEGRITY"]
        .map { "HARM_CATEGORY_" + $0 }),
    "HarmBlockThreshold": named(
      "SafetySetting.HarmBlockThreshold",
      [
        "HARM_BLOCK_THRESHOLD_UNSPECIFIED", "BLOCK_LOW_AND_ABOVE", "BLOCK_MEDIUM_AND_ABOVE", "BLOCK_ONLY_HIGH",
        "BLOCK_NONE", "OFF",
      ]),
  ]

  private static let mediaResolutions = ["UNSPECIFIED", "LOW", "MEDIUM", "HIGH"].map { "MEDIA_RESOLUTION_" + $0 }

  private static func named(_ name: String, _ values: [String]) -> ProtoEnumeration {
    ProtoEnumeration(fullName: name, values: Set(values))
  }
}
