/// A type of message: its fields by their names in JSON, both spellings.
struct ProtoMessage: Sendable {
  /// As error messages name it.
  var fullName: String
  var fields: [String: ProtoField]

  init(_ fullName: String, _ fields: [ProtoField]) {
    self.fullName = fullName
    self.fields = [:]
    for field in fields {
      self.fields[field.name] = field
      self.fields[field.protoName] = field
    }
  }
}

extension ProtoMessage {
  /// The messages that a request of `generateContent` is made of.
  static let all: [String: ProtoMessage] = [
    "GenerateContentRequest": ProtoMessage(
      "GenerateContentRequest",
      [
        field("model", .string), field("systemInstruction", .message("Content")),
        list("contents", .message("Content")), list("tools", .message("Tool")),
        field("toolConfig", .message("ToolConfig")), list("safetySettings", .message("SafetySetting")),
        field("generationConfig", .message("GenerationConfig")), field("cachedContent", .string),
        field("labels", .map), field("serviceTier", .string), field("continuationToken", .string),
        field("store", .bool),
      ]),
    "Content": ProtoMessage("Content", [list("parts", .message("Part")), field("role", .string)]),
    "Part": ProtoMessage(
      "Part",
      [
        data("text", .string), data("inlineData", .message("Blob")), data("fileData", .message("FileData")),
        data("functionCall", .message("FunctionCall")), data("functionResponse", .message("FunctionResponse")),
        data("executableCode", .any), data("codeExecutionResult", .any), data("toolCall", .any),
        data("toolResponse", .any), field("thought", .bool), field("thoughtSignature", .bytes),
        field("partMetadata", .any), field("videoMetadata", .any),
        field("mediaResolution", .message("MediaResolution")),
      ]),
    "Blob": ProtoMessage("Blob", [field("mimeType", .string), field("data", .bytes)]),
    "FileData": ProtoMessage("FileData", [field("mimeType", .string), field("fileUri", .string)]),
    "MediaResolution": ProtoMessage("MediaResolution", [field("level", .enumeration("PartMediaResolution"))]),
    "FunctionCall": ProtoMessage("FunctionCall", [field("id", .string), field("name", .string), field("args", .any)]),
    "FunctionResponse": ProtoMessage(
      "FunctionResponse",
      [
        field("id", .string), field("name", .string), field("response", .any), list("parts", .any),
        field("willContinue", .bool), field("scheduling", .string),
      ]),
    "Tool": ProtoMessage(
      "Tool",
      [
        list("functionDeclarations", .message("FunctionDeclaration")), field("googleSearch", .any),
        field("googleSearchRetrieval", .any), field("codeExecution", .any), field("urlContext", .any),
        field("googleMaps", .any), field("computerUse", .any), field("fileSearch", .any),
      ]),
    "FunctionDeclaration": ProtoMessage(
      "FunctionDeclaration",
      [
        field("name", .string), field("description", .string), field("parameters", .any),
        field("parametersJsonSchema", .any), field("response", .any), field("responseJsonSchema", .any),
        field("behavior", .string),
      ]),
    "ToolConfig": ProtoMessage(
      "ToolConfig",
      [field("functionCallingConfig", .message("FunctionCallingConfig")), field("retrievalConfig", .any)]),
    "FunctionCallingConfig": ProtoMessage(
      "FunctionCallingConfig",
      [field("mode", .enumeration("FunctionCallingMode")), list("allowedFunctionNames", .string)]),
    "SafetySetting": ProtoMessage(
      "SafetySetting",
      [field("category", .enumeration("HarmCategory")), field("threshold", .enumeration("HarmBlockThreshold"))]),
    "GenerationConfig": ProtoMessage("GenerationConfig", generationConfig),
    "ThinkingConfig": ProtoMessage(
      "ThinkingConfig",
      [
        field("includeThoughts", .bool), field("thinkingBudget", .int32),
        field("thinkingLevel", .enumeration("ThinkingLevel")),
      ]),
    "ImageConfig": ProtoMessage("ImageConfig", [field("aspectRatio", .string), field("imageSize", .string)]),
  ]

  private static let generationConfig = [
    field("temperature", .float), field("topP", .float), field("topK", .float), field("candidateCount", .int32),
    field("maxOutputTokens", .int32), list("stopSequences", .string), field("responseLogprobs", .bool),
    field("logprobs", .int32), field("presencePenalty", .float), field("frequencyPenalty", .float),
    field("seed", .int32), field("responseMimeType", .string), field("responseSchema", .any),
    field("responseJsonSchema", .any), list("responseModalities", .enumeration("Modality")),
    field("mediaResolution", .enumeration("MediaResolution")), field("speechConfig", .any),
    field("thinkingConfig", .message("ThinkingConfig")), field("imageConfig", .message("ImageConfig")),
    field("enableEnhancedCivicAnswers", .bool), field("audioTranscriptionConfig", .any),
  ]

  private static func field(_ name: String, _ type: ProtoType) -> ProtoField { ProtoField(name: name, type: type) }

  private static func list(_ name: String, _ type: ProtoType) -> ProtoField {
    ProtoField(name: name, type: type, isRepeated: true)
  }

  private static func data(_ name: String, _ type: ProtoType) -> ProtoField {
    ProtoField(name: name, type: type, group: "data")
  }
}

/// A type of enumeration: its values, without the one that stands for none.
struct ProtoEnumeration: Sendable {
  var fullName: String
  var values: Set<String>

  /// Letters of either case are taken, as Google's front end does.
  func allows(_ text: String) -> Bool { values.contains(text.uppercased()) }
}

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

/// A field of a message.
struct ProtoField: Sendable {
  /// As JSON has it, in camelCase.
  var name: String
  var type: ProtoType
  var isRepeated = false
  /// Fields of one group exclude each other.
  var group: String?

  /// As the .proto file has it.
  var protoName: String { Self.snakeCase(name) }

  static func snakeCase(_ name: String) -> String {
    name.reduce(into: "") { text, character in
      text += character.isUppercase ? "_" + character.lowercased() : String(character)
    }
  }
}

/// The type of a field of a protocol buffer message, as far as its JSON form goes.
enum ProtoType: Sendable {
  case string
  case bytes
  case bool
  case int32
  case float
  /// Known by its name in ``ProtoMessage/all``.
  case message(String)
  /// Known by its name in ``ProtoEnumeration/all``.
  case enumeration(String)
  /// google.protobuf.Struct or Value: any JSON.
  case any
  /// An object of texts.
  case map
}
